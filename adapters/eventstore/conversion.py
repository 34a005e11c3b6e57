"""Values to plain JSON and back, strictly: an unknown field or another type is refused.

Fields that have their default value are left out, moments are stamps, spans are seconds, and a
field declared as `object` holds any JSON as it is.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from attrs import has
from cattrs import Converter
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn

from domain.timestamps import moment, stamp


def make_converter() -> Converter:
    converter = Converter(
        forbid_extra_keys=True,
        detailed_validation=False,
        unstruct_collection_overrides={tuple: list, frozenset: sorted},
    )
    converter.register_unstructure_hook(datetime, stamp)
    converter.register_structure_hook(datetime, lambda text, _: moment(text))
    converter.register_unstructure_hook(timedelta, timedelta.total_seconds)
    converter.register_structure_hook(timedelta, lambda seconds, _: timedelta(seconds=seconds))
    converter.register_structure_hook_func(lambda kind: kind is object, lambda value, _: value)
    _be_exact(converter, str, str)
    _be_exact(converter, bool, bool)
    _be_exact(converter, int, int)
    _be_exact(converter, float, float, int)
    converter.register_unstructure_hook_factory(has, lambda kind: _writer(kind, converter))
    converter.register_structure_hook_factory(has, lambda kind: _reader(kind, converter))
    return converter


def _be_exact(converter: Converter, simple: type, *accepted: type) -> None:
    """Take no text for a number and no number for a text."""

    def exactly(value: Any, kind: type) -> Any:
        if kind is not simple:  # an enum whose members are texts
            return kind(value)
        if type(value) not in accepted:
            raise TypeError(f"{value!r} is no {simple.__name__}")
        return value

    converter.register_structure_hook(simple, exactly)


def _writer(kind: type, converter: Converter) -> Callable[[Any], dict[str, Any]]:
    return make_dict_unstructure_fn(kind, converter, _cattrs_omit_if_default=True)


def _reader(kind: type, converter: Converter) -> Callable[[Any, Any], Any]:
    return make_dict_structure_fn(kind, converter, _cattrs_forbid_extra_keys=True)
