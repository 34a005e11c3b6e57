"""
Nested values as JSON and back, as strictly as facts are read.

Unlike in facts, a field that has its default value is written: rows are read by other programs.
Fields without a value are left out. A float without a fraction is written as a whole number: some
engines know one kind of number only, and readers shall see the same on all.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from attrs import has
from cattrs import Converter
from cattrs.gen import make_dict_unstructure_fn

from adapters.eventstore.conversion import make_converter
from adapters.row_layouts.attributes import present, whole_if_it_is


@cache
def converter() -> Converter:
    made = make_converter()
    made.register_unstructure_hook(float, whole_if_it_is)
    made.register_unstructure_hook_factory(has, lambda kind: _without_gaps(kind, made))
    return made


def _without_gaps(kind: type, made: Converter) -> Callable[[Any], dict[str, Any]]:
    whole: Callable[[Any], dict[str, Any]] = make_dict_unstructure_fn(kind, made)
    return lambda value: present(whole(value))
