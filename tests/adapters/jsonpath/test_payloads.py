"""Payloads seen through JSONPath."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.jsonpath.payloads import JsonPathPayloads

PAYLOAD = {"event_type": "created", "order": {"lines": [{"sku": 1}, {"sku": 2}]}, "none": None}


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("$.event_type", ["created"]),
        ("$['event_type']", ["created"]),
        ("$.order.lines[0].sku", [1]),
        ("$.order.lines[*].sku", [1, 2]),
        ("$..sku", [1, 2]),
        ("$.none", [None]),
        ("$.missing", []),
    ],
)
def test_values_are_selected(path: str, values: list[object]) -> None:
    payloads = JsonPathPayloads()
    assert payloads.problem(path) is None
    assert payloads.values(path, PAYLOAD) == values


@pytest.mark.parametrize("payload", [None, 7, "text", True])
def test_what_has_no_parts_has_no_values(payload: object) -> None:
    assert JsonPathPayloads().values("$.a", payload) == []


@pytest.mark.parametrize("path", ["", "event_type", "$.", "$[", "$.a[?@.b == 1]", "$..a..b"])
def test_a_path_that_cannot_be_used_is_explained(path: str) -> None:
    assert JsonPathPayloads().problem(path)


@given(st.text(max_size=30))
def test_no_text_breaks_it(path: str) -> None:
    payloads = JsonPathPayloads()
    if payloads.problem(f"${path}") is None:
        payloads.values(f"${path}", PAYLOAD)
