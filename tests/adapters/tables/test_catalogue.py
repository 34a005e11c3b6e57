"""The list of tables says what the seed says about them."""

from adapters.tables.catalogue import (
    CATALOGUE,
    DATASET_REGISTRY,
    DATASET_RESOLUTION,
    INCIDENT_INDEX,
    PROJECTION_STATE,
    SIGNAL_STATE,
    Billing,
    Classification,
)


def test_names_and_keys() -> None:
    """S0-026, S0-047, S0-069, S0-090"""
    assert [table.name for table in CATALOGUE] == [
        "observability-signal-state",
        "observability-incident-index",
        "observability-dataset-registry",
        "observability-dataset-resolution",
        "observability-projection-state",
    ]
    assert {(table.hash, table.range) for table in CATALOGUE} == {("PK", "SK")}


def test_indexes() -> None:
    """S0-027, S0-048, S0-049, S0-070, S0-071: the seed's names; S0-090: none for rules."""
    assert {table.name: [index.name for index in table.indexes] for table in CATALOGUE} == {
        SIGNAL_STATE.name: ["state-tier-index"],
        INCIDENT_INDEX.name: ["dataset-time-index", "status-severity-index"],
        DATASET_REGISTRY.name: ["tier-index", "owner-index"],
        DATASET_RESOLUTION.name: [],
        PROJECTION_STATE.name: [],
    }
    assert {index.range for index in DATASET_REGISTRY.indexes} == {"PK"}
    assert {i.projection for table in CATALOGUE for i in table.indexes} == {"ALL"}


def test_only_signals_and_incidents_expire() -> None:
    """S0-029, S0-050, S0-072, S0-090"""
    expiring = {table.name: table.ttl for table in CATALOGUE if table.ttl}
    assert expiring == {SIGNAL_STATE.name: "ttl", INCIDENT_INDEX.name: "ttl"}


def test_capacity_modes() -> None:
    """S0-028, S0-050, S0-217"""
    on_demand = {table.name for table in CATALOGUE if table.billing is Billing.ON_DEMAND}
    assert on_demand == {SIGNAL_STATE.name, INCIDENT_INDEX.name, PROJECTION_STATE.name}


def test_the_registry_is_confidential() -> None:
    secret = [t for t in CATALOGUE if t.classification is Classification.CONFIDENTIAL]
    assert secret == [DATASET_REGISTRY]
