"""Any JSON within a message: numbers above all, of which messages have one kind only."""

import pytest
from google.protobuf.struct_pb2 import Value

from domain.validation import LARGEST_INTEGER
from entrypoints.grpc.fields.json_values import parse_value


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
    read = parse_value(Value(number_value=sent), "value")
    assert (read.value, type(read.value), read.violations) == (sent, kind, [])


def test_names_of_fields_that_callers_chose_are_cut() -> None:
    sent = Value()
    sent.struct_value.fields["x" * 1_000].SetInParent()
    read = parse_value(sent, "payload")
    assert read.value == {"x" * 1_000: None}
    (wrong,) = read.violations
    assert (len(wrong.field), wrong.code) == (200, "WRONG_TYPE")
