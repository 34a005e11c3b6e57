"""The list of tables says what the seed says about them."""

from adapters.tables.catalogue import (
    CATALOGUE,
    COLUMN_READERS,
    COLUMN_WRITERS,
    DATASET_READERS,
    DATASET_REGISTRY,
    DATASET_RESOLUTION,
    DATASET_WRITERS,
    INCIDENT_INDEX,
    PROJECTION_STATE,
    SIGNAL_STATE,
    Billing,
    Classification,
)

LINEAGE = (DATASET_WRITERS, DATASET_READERS, COLUMN_WRITERS, COLUMN_READERS)


def test_names_and_keys() -> None:
    """S0-026, S0-047, S0-069, S0-090, S0-112..S0-116"""
    assert [table.name for table in CATALOGUE] == [
        "observability-signal-state",
        "observability-incident-index",
        "observability-dataset-registry",
        "observability-dataset-resolution",
        "observability-dataset-writers",
        "observability-dataset-readers",
        "observability-column-writers",
        "observability-column-readers",
        "observability-projection-state",
    ]
    assert {(table.hash, table.range) for table in CATALOGUE} == {("PK", "SK")}


def test_indexes() -> None:
    """S0-027, S0-048, S0-049, S0-070, S0-071: the seed's names; S0-090, S0-112: none."""
    assert {table.name: [index.name for index in table.indexes] for table in CATALOGUE} == {
        SIGNAL_STATE.name: ["state-tier-index"],
        INCIDENT_INDEX.name: ["dataset-time-index", "status-severity-index"],
        DATASET_REGISTRY.name: ["tier-index", "owner-index"],
        DATASET_RESOLUTION.name: [],
        **{table.name: [] for table in LINEAGE},
        PROJECTION_STATE.name: [],
    }
    assert {index.range for index in DATASET_REGISTRY.indexes} == {"PK"}
    assert {i.projection for table in CATALOGUE for i in table.indexes} == {"ALL"}


def test_what_expires() -> None:
    """S0-029, S0-050, S0-072, S0-090, S0-112: signals, lineage and what is remembered of it."""
    expiring = {table.name for table in CATALOGUE if table.ttl == "ttl"}
    assert expiring == {t.name for t in (SIGNAL_STATE, INCIDENT_INDEX, *LINEAGE, PROJECTION_STATE)}
    assert {table.ttl for table in CATALOGUE} == {"ttl", None}


def test_capacity_modes() -> None:
    """S0-028, S0-118, S0-217"""
    on_demand = {table.name for table in CATALOGUE if table.billing is Billing.ON_DEMAND}
    assert on_demand == {t.name for t in (SIGNAL_STATE, INCIDENT_INDEX, *LINEAGE, PROJECTION_STATE)}


def test_the_registry_is_confidential() -> None:
    secret = [t for t in CATALOGUE if t.classification is Classification.CONFIDENTIAL]
    assert secret == [DATASET_REGISTRY]
