"""Any JSON within a message: numbers above all, of which messages have one kind only."""

import pytest
from google.protobuf.struct_pb2 import Value

from domain.errors import Violation
from domain.validation import LARGEST_INTEGER
from entrypoints.grpc.fields.json_values import value_said


@pytest.mark.parametrize(
    ("sent", "kind"),
    [
        (0, int),
        (-0.0, int),
        (3, int),
        (0.5, float),
        (-LARGEST_INTEGER, int),
        (LARGEST_INTEGER, int),
        (LARGEST_INTEGER + 1, float),
        (1e308, float),
    ],
)
def test_whole_numbers_are_read_as_such(sent: float, kind: type) -> None:
    found: list[Violation] = []
    read = value_said(Value(number_value=sent), "value", found)
    assert (read, type(read), found) == (sent, kind, [])


def test_names_of_fields_that_callers_chose_are_cut() -> None:
    sent, found = Value(), list[Violation]()
    sent.struct_value.fields["x" * 1_000].SetInParent()
    assert value_said(sent, "payload", found) == {"x" * 1_000: None}
    (wrong,) = found
    assert (len(wrong.field), wrong.code) == (200, "WRONG_TYPE")
