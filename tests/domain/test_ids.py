"""What names look like."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.ids import (
    SIGNAL_TYPES,
    ColumnUrn,
    DatasetUrn,
    Place,
    ProducerId,
    SignalType,
    SpecId,
    column_parts,
    column_urn,
    is_column,
    is_column_urn,
    is_dataset_urn,
    is_entity_id,
    is_evidence_id,
    is_failure_signature,
    is_incident_id,
    is_signal_type,
    is_spec_id,
    spec_parts,
)
from domain.stream_categories import (
    dataset_of,
    dataset_stream,
    lineage_stream,
    producer_of,
    signal_of,
    signal_stream,
)

ORDERS = "urn:dp:orders:order_created:v1"
ULID = "01HQ4X8Z3M5K7N9P2R4T6V8W0Y"


@pytest.mark.parametrize(
    "urn",
    [
        ORDERS,
        "urn:dp:o:c:v999999",
        "urn:dp:team-7.eu:orders_v2:v10",
        "urn:dp:o:" + "n" * 188 + ":v1",
    ],
)
def test_a_dataset_has_a_domain_a_name_and_a_version(urn: str) -> None:
    assert is_dataset_urn(urn)


@pytest.mark.parametrize(
    "urn",
    [
        "",
        "urn:dp:orders:order_created",
        "urn:dp:orders:order_created:1",
        "urn:dp:orders:order_created:v0",
        "urn:dp:orders:order_created:v01",
        "urn:dp:orders:order_created:v1000000",
        "urn:dp::order_created:v1",
        "urn:dp:orders:-created:v1",
        "urn:dp:orders:created-:v1",
        "urn:dp:orders:order/created:v1",
        "urn:dp:orders:order created:v1",
        "urn:dp:orders:bestellt_ä:v1",
        "urn:dp:orders:order_created:v١",
        "URN:dp:orders:order_created:v1",
        f" {ORDERS}",
        f"{ORDERS}\n",
        "urn:dp:o:" + "n" * 189 + ":v1",
    ],
)
def test_anything_else_is_no_dataset(urn: str) -> None:
    assert not is_dataset_urn(urn)


def test_a_column_belongs_to_a_dataset() -> None:
    assert is_column_urn(f"urn:col:{ORDERS}:customer_id")
    assert is_column_urn(f"urn:col:{ORDERS}:items[0].price")
    assert not is_column_urn(f"urn:col:{ORDERS}")
    assert not is_column_urn(f"urn:col:{ORDERS}:")
    assert not is_column_urn("urn:col:orders:customer_id")
    longest = 400 - len(f"urn:col:{ORDERS}:")
    assert is_column_urn(f"urn:col:{ORDERS}:{'c' * longest}")
    assert not is_column_urn(f"urn:col:{ORDERS}:{'c' * (longest + 1)}")


@pytest.mark.parametrize(
    "name", [*SIGNAL_TYPES, "CUSTOM_X", "CUSTOM_LATE_REFUNDS_2", "CUSTOM_" + "X" * 57]
)
def test_signal_types_are_the_known_ones_and_custom_ones(name: str) -> None:
    assert is_signal_type(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "freshness",
        "CUSTOM",
        "CUSTOM_",
        "CUSTOM__X",
        "CUSTOM_x",
        "CUSTOM_X_",
        "OTHER",
        "CUSTOM_" + "X" * 58,
    ],
)
def test_anything_else_is_no_signal_type(name: str) -> None:
    assert not is_signal_type(name)


@pytest.mark.parametrize(
    "signature", ["MISSING_FIELD:customer_id", "LATE:*", "R2:items[0].price", "A:" + "f" * 198]
)
def test_a_failure_signature_is_a_reason_and_a_field(signature: str) -> None:
    assert is_failure_signature(signature)


@pytest.mark.parametrize(
    "signature",
    [
        "",
        "MISSING_FIELD",
        "MISSING_FIELD:",
        ":a",
        "missing:a",
        "2R:a",
        "A:b c",
        "A:b:c",
        "A:" + "f" * 199,
    ],
)
def test_anything_else_is_no_failure_signature(signature: str) -> None:
    assert not is_failure_signature(signature)


def test_evidence_is_named_by_a_ulid() -> None:
    assert is_evidence_id(f"evd-{ULID}")
    assert not is_evidence_id(ULID)
    assert not is_evidence_id(f"evd-{ULID}0")
    assert not is_evidence_id(f"evd-{ULID[:-1]}")
    assert not is_evidence_id(f"evd-{ULID.lower()}")
    assert not is_evidence_id(f"evd-8{ULID[1:]}")
    assert not is_evidence_id(f"evd-{ULID[:-1]}I")


@pytest.mark.parametrize(
    "name", ["a", "orders-svc", "job:orders-delta-landing", "a:b:c", "a" * 200]
)
def test_entities_are_words_joined_by_colons(name: str) -> None:
    assert is_entity_id(name)


@pytest.mark.parametrize(
    "name", ["", ":a", "a:", "a::b", "a b", "a#b", "a/b", "ä", "-a", "a" * 201]
)
def test_anything_else_is_no_entity(name: str) -> None:
    assert not is_entity_id(name)


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("lspec:orders-delta-landing:git:9f31c2d", ("orders-delta-landing", "git", "9f31c2d")),
        ("lspec:job:orders-landing:git:9f31c2d", ("job:orders-landing", "git", "9f31c2d")),
        ("lspec:lspec:git:git:git", ("lspec:git", "git", "git")),
    ],
)
def test_a_spec_names_its_producer_source_and_commit(
    spec: str, parts: tuple[str, str, str]
) -> None:
    """S0-117, S0-244: sources and commits have no colons, producers may."""
    assert is_spec_id(spec)
    assert spec_parts(SpecId(spec)) == parts


def test_a_column_tells_its_dataset_and_its_name() -> None:
    column = column_urn(DatasetUrn(ORDERS), "items[0].price")
    assert column == f"urn:col:{ORDERS}:items[0].price"
    assert column_parts(ColumnUrn(column)) == (ORDERS, "items[0].price")
    assert is_column(Place(column))
    assert not is_column(Place(ORDERS))


urns = st.from_regex(
    r"urn:dp:[a-z][a-z0-9_.-]{0,8}[a-z]:[a-z]{1,3}-[a-z]{1,3}:v[1-9]", fullmatch=True
)


@settings(max_examples=50, deadline=None)
@given(urns, st.sampled_from([*SIGNAL_TYPES, "CUSTOM_A_B"]))
def test_a_stream_tells_what_it_is_about(urn: str, signal: str) -> None:
    dataset, signal_type = DatasetUrn(urn), SignalType(signal)
    assert is_dataset_urn(urn)
    assert dataset_of(dataset_stream(dataset)) == dataset
    assert dataset_of(signal_stream(dataset, signal_type)) == dataset
    assert signal_of(signal_stream(dataset, signal_type)) == signal_type


def test_streams_are_named_by_category_and_id() -> None:
    assert dataset_stream(DatasetUrn(ORDERS)) == f"dataset-{ORDERS}"
    assert signal_stream(DatasetUrn(ORDERS), SignalType("VOLUME")) == f"signal-{ORDERS}/VOLUME"
    producer = ProducerId("job:orders-landing")
    assert lineage_stream(producer) == "lineage-job:orders-landing"
    assert producer_of(lineage_stream(producer)) == producer


@pytest.mark.parametrize("name", [f"INC-{ULID}", "INC-7721", "INC-a-1", "INC-" + "7" * 60])
def test_incidents_have_generated_or_imported_names(name: str) -> None:
    """T8"""
    assert is_incident_id(name)


@pytest.mark.parametrize("name", ["", "INC-", "7721", "inc-7721", "INC-7/1", "INC-" + "7" * 61])
def test_anything_else_is_no_incident(name: str) -> None:
    assert not is_incident_id(name)
