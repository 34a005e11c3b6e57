"""Sizes of items by AWS's rules; where a rule is only told roughly, DynamoDB Local decides."""

from base64 import b64encode
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.dynamodb.items.item_sizes import item_size, value_size


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ({"S": ""}, 0),
        ({"S": "abc"}, 3),
        ({"S": "é€"}, 5),
        ({"N": "0"}, 1),
        ({"N": "7"}, 2),
        ({"N": "12"}, 2),
        ({"N": "123"}, 3),
        ({"N": "1000"}, 2),
        ({"N": "120"}, 3),
        ({"N": "1.5"}, 3),
        ({"N": "0.001"}, 2),
        ({"N": "-12"}, 3),
        ({"N": "1E+20"}, 2),
        ({"N": "12345678901234567890123456789012345678"}, 20),
        ({"B": "YQ=="}, 1),
        ({"B": "YWI="}, 2),
        ({"B": "YWJj"}, 3),
        ({"B": ""}, 0),
        ({"BOOL": False}, 1),
        ({"NULL": True}, 1),
        ({"SS": ["a", "bc"]}, 3),
        ({"NS": ["1", "123"]}, 5),
        ({"BS": ["YQ==", "YWI="]}, 3),
        ({"L": []}, 3),
        ({"L": [{"BOOL": True}, {"S": "ab"}]}, 8),
        ({"M": {}}, 3),
        ({"M": {"name": {"L": []}}}, 11),
    ],
)
def test_a_value_has_a_size(value: dict[str, Any], size: int) -> None:
    assert value_size(value) == size


def test_names_count() -> None:
    assert item_size({"PK": {"S": "abc"}, "größe": {"N": "1"}}) == 2 + 3 + 7 + 2


@given(st.integers(0, 10**38 - 1))
def test_a_whole_number_counts_the_same_however_it_is_written(number: int) -> None:
    assert value_size({"N": str(number)}) == value_size({"N": f"{number}.0"})


@given(st.binary(max_size=100))
def test_binary_counts_its_bytes(data: bytes) -> None:
    assert value_size({"B": b64encode(data).decode()}) == len(data)
