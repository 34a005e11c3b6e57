"""
Nested values as JSON and back, as strictly as facts are read.

Unlike in facts, a field that has its default value is written: rows are read by other programs.
Fields without a value are left out.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from attrs import has
from cattrs import Converter
from cattrs.gen import make_dict_unstructure_fn

from adapters.eventstore.conversion import make_converter
from adapters.tables.attributes import present


@cache
def converter() -> Converter:
    made = make_converter()
    made.register_unstructure_hook_factory(has, lambda kind: _without_gaps(kind, made))
    return made


def _without_gaps(kind: type, made: Converter) -> Callable[[Any], dict[str, Any]]:
    whole: Callable[[Any], dict[str, Any]] = make_dict_unstructure_fn(kind, made)
    return lambda value: present(whole(value))
