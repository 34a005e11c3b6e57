"""Any message of a kind: what fits, what nearly fits, and what nobody in their right mind sends."""

from collections.abc import Callable, Mapping
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.struct_pb2 import ListValue, NullValue, Struct, Value
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import strategies as st

from tests.entrypoints.http.api import EVIDENCE, ORDERS

KNOWN = (
    *(ORDERS, f"urn:col:{ORDERS}:customer_id", "INC-1", "INC-2", EVIDENCE, "lspec:job:a:git:1"),
    *("OPEN", "ACKNOWLEDGED", "RESOLVED", "SEV_1", "SEV_2", "TIER_1", "TIER_3", "HIGH", "JOB"),
    *("FRESHNESS", "CONTRACT_COMPLIANCE", "MISSING_FIELD:customer_id", "FIXED", "KAFKA", "string"),
    *("EXACT", "CONDITIONAL", "EQUALS", "IN", "EXISTS", "raw.orders", "raw.*", "$.a", "$..*", "1"),
    *("tier", "slos", "slos.freshness", "main", "job:a", "a", "someone@company.example"),
)
STRANGE = ("\x00", "\u202e", "'; --", "../..", "(" * 50, "é" * 300, "x" * 5_000, " ", "[", "-1")

texts = st.sampled_from(KNOWN) | st.sampled_from(STRANGE) | st.text(max_size=20)
doubles = st.floats() | st.sampled_from([0.0, 1.0, 0.5, 2.0**53, 1e308])


def _whole(bits: int) -> st.SearchStrategy[int]:
    least, most = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    return st.sampled_from([-1, 0, 1, 2, 50, least, most]) | st.integers(least, most)


_SCALARS: Mapping[int, st.SearchStrategy[Any]] = {
    FieldDescriptor.CPPTYPE_STRING: texts,
    FieldDescriptor.CPPTYPE_BOOL: st.booleans(),
    FieldDescriptor.CPPTYPE_DOUBLE: doubles,
    FieldDescriptor.CPPTYPE_INT32: _whole(32),
    FieldDescriptor.CPPTYPE_INT64: _whole(64),
}

timestamps = st.builds(
    Timestamp,
    seconds=st.sampled_from([0, 1_768_478_400, 1_768_564_800, 253_402_300_800]) | _whole(64),
    nanos=st.sampled_from([0, 500_000_000]) | _whole(32),
)
values = st.recursive(
    st.just(Value())
    | st.just(Value(null_value=NullValue.NULL_VALUE))
    | st.builds(Value, number_value=doubles)
    | st.builds(Value, string_value=texts)
    | st.builds(Value, bool_value=st.booleans()),
    lambda inner: (
        st.builds(
            lambda items: Value(list_value=ListValue(values=items)), st.lists(inner, max_size=3)
        )
        | st.builds(
            lambda items: Value(struct_value=Struct(fields=items)),
            st.dictionaries(texts, inner, max_size=3),
        )
    ),
    max_leaves=8,
)
WELL_KNOWN: Mapping[str, st.SearchStrategy[Any]] = {
    Timestamp.DESCRIPTOR.full_name: timestamps,
    Value.DESCRIPTOR.full_name: values,
    FieldMask.DESCRIPTOR.full_name: st.builds(FieldMask, paths=st.lists(texts, max_size=4)),
}


@st.composite
def any_message(
    draw: Callable[[st.SearchStrategy[Any]], Any],
    kind: Descriptor,
    well_known: Mapping[str, st.SearchStrategy[Any]] = WELL_KNOWN,
) -> Message:
    """With any of its fields, each with anything of its type."""
    if kind.full_name in well_known:
        known: Message = draw(well_known[kind.full_name])
        return known
    said = {
        field.name: draw(_anything(field, well_known))
        for field in kind.fields
        if draw(st.integers(0, 3))
    }
    return GetMessageClass(kind)(**said)


def _anything(
    field: FieldDescriptor, well_known: Mapping[str, st.SearchStrategy[Any]]
) -> st.SearchStrategy[Any]:
    inner, one = field.message_type, _one(field, well_known)
    if inner is not None and inner.GetOptions().map_entry:
        value = _one(inner.fields_by_name["value"], well_known)
        return st.dictionaries(texts, value, max_size=3)
    return st.lists(one, max_size=3) if field.is_repeated else one


def _one(
    field: FieldDescriptor, well_known: Mapping[str, st.SearchStrategy[Any]]
) -> st.SearchStrategy[Any]:
    inner = field.message_type
    return _SCALARS[field.cpp_type] if inner is None else any_message(inner, well_known)
