"""The list of tables says what the seed says about them."""

from adapters.row_layouts.catalogue import (
    CATALOGUE,
    COLUMN_READERS,
    COLUMN_WRITERS,
    DATASET_READERS,
    DATASET_REGISTRY,
    DATASET_RESOLUTION,
    DATASET_WRITERS,
    EVENT_LOG,
    EVERY_TABLE,
    EVIDENCE_CACHE,
    HEALTH_CHECK,
    INCIDENT_INDEX,
    PROJECTION_STATE,
    SIGNAL_STATE,
    Billing,
    Classification,
    Retention,
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


def test_the_registry_is_confidential_and_so_is_the_log_it_follows_from() -> None:
    """S0-290"""
    secret = [t for t in EVERY_TABLE if t.classification is Classification.CONFIDENTIAL]
    assert secret == [DATASET_REGISTRY, EVENT_LOG]


def test_a_store_on_dynamodb_has_three_more() -> None:
    """S0-100, S0-101, T1"""
    assert (*CATALOGUE, EVIDENCE_CACHE, HEALTH_CHECK, EVENT_LOG) == EVERY_TABLE
    assert EVIDENCE_CACHE.keys == ("evidence_id",)
    (index,) = EVIDENCE_CACHE.indexes
    assert (index.name, index.hash, index.range) == (
        "dataset-time-index",
        "dataset_urn",
        "created_at",
    )
    assert HEALTH_CHECK.keys == ("PK",)
    assert (EVENT_LOG.keys, EVENT_LOG.range_type) == (("PK", "SK"), "N")


def test_which_policy_rows_end_by() -> None:
    """S0-029, S0-050, S0-102, S0-112"""
    assert {table.name: table.retention for table in EVERY_TABLE if table.retention} == {
        SIGNAL_STATE.name: Retention.SIGNALS,
        INCIDENT_INDEX.name: Retention.INCIDENTS,
        EVIDENCE_CACHE.name: Retention.EVIDENCE,
        **{table.name: Retention.LINEAGE for table in LINEAGE},
    }
    assert all(table.ttl for table in EVERY_TABLE if table.retention)


def test_a_prefix_and_a_generation_go_together() -> None:
    assert SIGNAL_STATE.of_generation(2).prefixed("eu-").name == "eu-observability-signal-state-g2"
