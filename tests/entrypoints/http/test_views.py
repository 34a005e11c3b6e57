"""Responses read the attributes of views."""

from collections.abc import Iterator

import pytest
from attrs import frozen
from pydantic import Field, ValidationError

import entrypoints.http.app  # noqa: F401  # defines every response
from entrypoints.http.validation.timestamps import Stamp
from entrypoints.http.views import ViewResponse
from tests.adapters.row_layouts.sample_views import NOON


@frozen
class View:
    dataset: str = "orders"
    at: object = NOON


class Shown(ViewResponse):
    dataset_urn: str = Field(validation_alias="dataset")
    at: Stamp


class Renamed(ViewResponse):
    called: str | None


def test_reads_attributes_under_the_names_of_the_fields() -> None:
    shown = Shown.model_validate(View())
    assert shown.model_dump() == {"dataset_urn": "orders", "at": "2026-01-15T12:00:00.000Z"}


def test_describes_the_names_that_callers_read() -> None:
    for mode in ("validation", "serialization"):
        assert [*Shown.model_json_schema(mode=mode)["properties"]] == ["dataset_urn", "at"]


def test_refuses_a_view_without_the_attribute() -> None:
    with pytest.raises(ValidationError):
        Renamed.model_validate(View())


def _responses(base: type[ViewResponse] = ViewResponse) -> Iterator[type[ViewResponse]]:
    for one in base.__subclasses__():
        yield one
        yield from _responses(one)


def test_no_field_has_a_default() -> None:
    fields = [
        f"{one.__name__}.{name}"
        for one in _responses()
        for name, field in one.model_fields.items()
        if not field.is_required()
    ]
    assert fields == []
