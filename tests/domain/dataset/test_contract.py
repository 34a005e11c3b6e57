"""Whether a record keeps its dataset's contract (S0-079)."""

import re
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.dataset.contract import broken
from domain.dataset.settings import ContractBinding, FieldConstraint, FieldType
from domain.ids import is_failure_signature

ORDERS = ContractBinding(
    "dc:orders.order_created:3",
    ("order_id", "customer_id", "total_amount", "created_at"),
    {
        "total_amount": FieldConstraint(FieldType.NUMBER, min=0),
        "customer_id": FieldConstraint(FieldType.STRING, pattern="^cust-[a-z0-9]+$"),
    },
)
ORDER = {
    "order_id": "o-1",
    "customer_id": "cust-7",
    "total_amount": 0,
    "created_at": "2026-01-15T10:00:00.000Z",
}


def found(pattern: str, value: str) -> bool:
    return re.search(pattern, value) is not None


def signatures(binding: ContractBinding, record: Mapping[str, object]) -> list[str]:
    return [f"{each.code}:{each.field}" for each in broken(binding, record, found)]


def judged(constraint: FieldConstraint, value: object) -> list[str]:
    binding = ContractBinding("dc", (), {"a": constraint})
    return [each.code for each in broken(binding, {"a": value}, found)]


def test_a_record_may_keep_the_contract() -> None:
    assert broken(ORDERS, ORDER, found) == []


def test_all_that_is_broken_is_named_as_failure_signatures() -> None:
    record = {"order_id": None, "customer_id": "7", "total_amount": -0.01}
    told = signatures(ORDERS, record)
    assert told == [
        "MISSING_FIELD:order_id",
        "MISSING_FIELD:created_at",
        "OUT_OF_RANGE:total_amount",
        "PATTERN_MISMATCH:customer_id",
    ]
    assert all(map(is_failure_signature, told))


@pytest.mark.parametrize("empty", ["", 0, False, [], {}])
def test_what_is_empty_is_present(empty: object) -> None:
    assert signatures(ContractBinding("dc", ("a",)), {"a": empty}) == []


def test_a_field_without_a_value_breaks_no_constraint() -> None:
    binding = ContractBinding("dc", (), {"a": FieldConstraint(FieldType.NUMBER, min=0)})
    assert signatures(binding, {}) == []
    assert signatures(binding, {"a": None}) == []


VALUES: dict[FieldType, list[object]] = {
    FieldType.STRING: ["", "text"],
    FieldType.INTEGER: [0, -1, 10**400, 1.0],
    FieldType.NUMBER: [0.5, -1.5],
    FieldType.BOOLEAN: [True, False],
    FieldType.OBJECT: [{}, {"b": 1}],
    FieldType.ARRAY: [[], [1], ()],
}


@pytest.mark.parametrize("expected", FieldType)
@pytest.mark.parametrize("actual", FieldType)
def test_a_value_is_of_its_own_type_only(expected: FieldType, actual: FieldType) -> None:
    integer_as_number = (actual, expected) == (FieldType.INTEGER, FieldType.NUMBER)
    verdict = [] if actual is expected or integer_as_number else ["WRONG_TYPE"]
    for value in VALUES[actual]:
        assert judged(FieldConstraint(expected), value) == verdict


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("expected", [FieldType.NUMBER, FieldType.INTEGER])
def test_what_is_not_finite_is_not_a_number(value: float, expected: FieldType) -> None:
    assert judged(FieldConstraint(expected, min=0, max=1), value) == ["WRONG_TYPE"]


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        (1, []),
        (2, []),
        (1.5, []),
        (0.999, ["OUT_OF_RANGE"]),
        (2.001, ["OUT_OF_RANGE"]),
        (10**400, ["OUT_OF_RANGE"]),
        (True, ["WRONG_TYPE"]),
        ("1", ["WRONG_TYPE"]),
    ],
)
def test_a_number_lies_between_min_and_max(value: object, verdict: list[str]) -> None:
    assert judged(FieldConstraint(FieldType.NUMBER, min=1, max=2), value) == verdict


def test_bounds_without_a_type_concern_numbers_only() -> None:
    for value in (True, "1", [1], float("nan")):
        assert judged(FieldConstraint(min=2), value) == []
    assert judged(FieldConstraint(min=2), 1) == ["OUT_OF_RANGE"]


def test_a_text_matches_its_pattern() -> None:
    constraint = FieldConstraint(FieldType.STRING, pattern="^[a-z]+$")
    assert judged(constraint, "abc") == []
    assert judged(constraint, "ABC") == ["PATTERN_MISMATCH"]


def test_a_constraint_that_says_nothing_is_kept_by_everything() -> None:
    for values in VALUES.values():
        assert [judged(FieldConstraint(), value) for value in values] == [[]] * len(values)


def test_dots_reach_into_nested_objects() -> None:
    binding = ContractBinding(
        "dc",
        ("address.city", "address.geo.lat"),
        {"address.geo.lat": FieldConstraint(max=90, type=FieldType.NUMBER)},
    )
    assert signatures(binding, {"address": {"city": "Bern", "geo": {"lat": 46.9}}}) == []
    assert signatures(binding, {"address": {"city": "Bern", "geo": {"lat": 91}}}) == [
        "OUT_OF_RANGE:address.geo.lat"
    ]
    assert signatures(binding, {"address": {"city": None, "geo": "46.9"}}) == [
        "MISSING_FIELD:address.city",
        "MISSING_FIELD:address.geo.lat",
    ]
    assert signatures(binding, {}) == [
        "MISSING_FIELD:address.city",
        "MISSING_FIELD:address.geo.lat",
    ]


def test_a_name_with_dots_may_also_be_the_name_of_one_field() -> None:
    binding = ContractBinding("dc", ("address.city",))
    assert signatures(binding, {"address.city": "Bern"}) == []


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=8,
)
constraints = st.builds(
    FieldConstraint,
    st.none() | st.sampled_from(FieldType),
    st.none() | st.floats(allow_nan=False),
    st.none() | st.floats(allow_nan=False),
    st.none() | st.just("a"),
)
names = st.sampled_from(["a", "b", "a.b", "a.a.b", ".", "a."])


@settings(max_examples=80, deadline=None)
@given(
    st.builds(
        ContractBinding,
        st.just("dc"),
        st.lists(names).map(tuple),
        st.dictionaries(names, constraints),
    ),
    st.dictionaries(names, anything),
)
def test_any_record_can_be_judged(binding: ContractBinding, record: dict[str, object]) -> None:
    told = broken(binding, record, found)
    assert {each.field for each in told} <= {*binding.required_fields, *binding.field_constraints}
