"""
The tables of the read models, declared once.

    observability-signal-state         every signal now
    observability-incident-index       incidents, open and resolved
    observability-dataset-registry     every dataset's configuration, version by version
    observability-dataset-resolution   resolution rules by topic
    observability-dataset-writers      who writes a dataset
    observability-dataset-readers      who reads a dataset
    observability-column-writers       who writes a column
    observability-column-readers       who reads a column
    observability-projection-state     what projections remember for themselves

This list drives creation on every engine, infrastructure templates, policies and docs. All keys
are strings. A row is in an index when it has both of the index's attributes, so an index that
shall hold only some rows is built on attributes that only those rows have (T4).
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from attrs import evolve, frozen

PK, SK = "PK", "SK"


class Billing(StrEnum):
    """How capacity is paid for (S0-217); settings may say otherwise (T6)."""

    ON_DEMAND = "PAY_PER_REQUEST"
    PROVISIONED = "PROVISIONED"


class Classification(StrEnum):
    INTERNAL = "INTERNAL"
    CONFIDENTIAL = "CONFIDENTIAL"


@frozen
class Index:
    """Whole rows, found by one attribute and ordered by another, then by their own key."""

    name: str
    hash: str
    range: str
    projection: str = "ALL"

    @property
    def order(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.range, PK, SK)))

    def holds(self, row: Mapping[str, Any]) -> bool:
        return self.hash in row and self.range in row

    def place(self, row: Mapping[str, Any]) -> tuple[str, ...]:
        """Where the row stands in its partition of the index: no two rows stand there."""
        return tuple(row[attribute] for attribute in self.order)


@frozen
class Table:
    name: str
    billing: Billing
    classification: Classification
    indexes: tuple[Index, ...] = ()
    ttl: str | None = None
    """The attribute that holds the second after which a row may be thrown away."""
    hash: str = PK
    range: str = SK

    def index(self, name: str) -> Index:
        return next(index for index in self.indexes if index.name == name)

    def of_generation(self, number: int) -> "Table":
        """The table that is filled anew beside this one; the first generation is this one."""
        return self if number == 1 else evolve(self, name=f"{self.name}-g{number}")


STATE_TIER_INDEX = Index("state-tier-index", hash="breach_state", range="breach_rank")
DATASET_TIME_INDEX = Index("dataset-time-index", hash="GSI1PK", range="GSI1SK")
STATUS_SEVERITY_INDEX = Index("status-severity-index", hash="GSI2PK", range="GSI2SK")
TIER_INDEX = Index("tier-index", hash="listed_tier", range=PK)
OWNER_INDEX = Index("owner-index", hash="listed_owner", range=PK)

SIGNAL_STATE = Table(
    "observability-signal-state",
    Billing.ON_DEMAND,
    Classification.INTERNAL,
    indexes=(STATE_TIER_INDEX,),
    ttl="ttl",
)
INCIDENT_INDEX = Table(
    "observability-incident-index",
    Billing.ON_DEMAND,
    Classification.INTERNAL,
    indexes=(DATASET_TIME_INDEX, STATUS_SEVERITY_INDEX),
    ttl="ttl",
)
DATASET_REGISTRY = Table(
    "observability-dataset-registry",
    Billing.PROVISIONED,
    Classification.CONFIDENTIAL,
    indexes=(TIER_INDEX, OWNER_INDEX),
)
DATASET_RESOLUTION = Table(
    "observability-dataset-resolution", Billing.PROVISIONED, Classification.INTERNAL
)
DATASET_WRITERS = Table(
    "observability-dataset-writers", Billing.ON_DEMAND, Classification.INTERNAL, ttl="ttl"
)
DATASET_READERS = Table(
    "observability-dataset-readers", Billing.ON_DEMAND, Classification.INTERNAL, ttl="ttl"
)
COLUMN_WRITERS = Table(
    "observability-column-writers", Billing.ON_DEMAND, Classification.INTERNAL, ttl="ttl"
)
COLUMN_READERS = Table(
    "observability-column-readers", Billing.ON_DEMAND, Classification.INTERNAL, ttl="ttl"
)
PROJECTION_STATE = Table(
    "observability-projection-state", Billing.ON_DEMAND, Classification.INTERNAL, ttl="ttl"
)

CATALOGUE = (
    SIGNAL_STATE,
    INCIDENT_INDEX,
    DATASET_REGISTRY,
    DATASET_RESOLUTION,
    DATASET_WRITERS,
    DATASET_READERS,
    COLUMN_WRITERS,
    COLUMN_READERS,
    PROJECTION_STATE,
)
