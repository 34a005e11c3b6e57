"""
The tables, declared once.

    observability-signal-state         every signal now
    observability-incident-index       incidents, open and resolved
    observability-dataset-registry     every dataset's configuration, version by version
    observability-dataset-resolution   resolution rules by topic
    observability-dataset-writers      who writes a dataset
    observability-dataset-readers      who reads a dataset
    observability-column-writers       who writes a column
    observability-column-readers       who reads a column
    observability-projection-state     what projections remember for themselves

    observability-evidence-cache       recent evidence                            } on DynamoDB
    observability-health-check         what a region's health is tried on (T1)    } only
    observability-event-log            every fact, in order: the truth            }

`CATALOGUE` holds the read models, which every engine has; `EVERY_TABLE` all that a store on
DynamoDB consists of. The lists drive creation, checks, infrastructure templates, policies and docs.

Keys are strings but for the log's sort key. A row is in an index when it has both of the index's
attributes, so an index that shall hold only some rows is built on attributes that only those rows
have (T4).
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from attrs import evolve, frozen

PK, SK, TTL = "PK", "SK", "ttl"


class Billing(StrEnum):
    """How capacity is paid for (S0-217); settings may say otherwise (T6)."""

    ON_DEMAND = "PAY_PER_REQUEST"
    PROVISIONED = "PROVISIONED"


@frozen
class Throughput:
    """Units a second that are paid for, used or not: of a table, and of each of its indexes."""

    read: int = 25
    write: int = 25


class Classification(StrEnum):
    """Who may see what is in a table (S0-290)."""

    INTERNAL = "INTERNAL"
    CONFIDENTIAL = "CONFIDENTIAL"


class Retention(StrEnum):
    """How long rows are kept after they ended; settings say how long that is."""

    SIGNALS = "signals"
    INCIDENTS = "incidents"
    EVIDENCE = "evidence"
    LINEAGE = "lineage"


class Stream(StrEnum):
    """What DynamoDB tells those who listen to a table's changes."""

    KEYS = "KEYS_ONLY"
    OLD_AND_NEW = "NEW_AND_OLD_IMAGES"


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
    range: str | None = SK
    """None where the first part is the whole key."""
    range_type: str = "S"
    retention: Retention | None = None
    """The policy that `ttl` is computed from; nothing where it takes over that of its facts."""
    stream: Stream | None = None
    restorable: bool = True
    """Whether DynamoDB can bring back every moment of the last 35 days."""
    throughput: Throughput = Throughput()
    """Counts where capacity is provisioned."""
    rebuilt: bool = False
    """Whether it is of a later generation: how it is paid for once it is filled is free."""

    @property
    def keys(self) -> tuple[str, ...]:
        return (self.hash,) if self.range is None else (self.hash, self.range)

    @property
    def tags(self) -> Mapping[str, str]:
        return {"application": "statestore", "classification": self.classification.value}

    def index(self, name: str) -> Index:
        return next(index for index in self.indexes if index.name == name)

    def of_generation(self, number: int) -> "Table":
        """The table that is filled anew beside this one; the first generation is this one.

        It is paid for on demand: filling it takes more than what keeps it up to date.
        """
        if number == 1:
            return self
        return evolve(self, name=f"{self.name}-g{number}", rebuilt=True).on_demand()

    def prefixed(self, prefix: str) -> "Table":
        """The table as it is called where several stores share an account."""
        return evolve(self, name=prefix + self.name)

    def provisioned(self, throughput: Throughput) -> "Table":
        return evolve(self, billing=Billing.PROVISIONED, throughput=throughput)

    def on_demand(self) -> "Table":
        return evolve(self, billing=Billing.ON_DEMAND)


STATE_TIER_INDEX = Index("state-tier-index", hash="breach_state", range="breach_rank")
DATASET_TIME_INDEX = Index("dataset-time-index", hash="GSI1PK", range="GSI1SK")
STATUS_SEVERITY_INDEX = Index("status-severity-index", hash="GSI2PK", range="GSI2SK")
TIER_INDEX = Index("tier-index", hash="listed_tier", range=PK)
OWNER_INDEX = Index("owner-index", hash="listed_owner", range=PK)
EVIDENCE_TIME_INDEX = Index("dataset-time-index", hash="dataset_urn", range="created_at")

SIGNAL_STATE = Table(
    "observability-signal-state",
    Billing.ON_DEMAND,
    Classification.INTERNAL,
    indexes=(STATE_TIER_INDEX,),
    ttl=TTL,
    retention=Retention.SIGNALS,
    stream=Stream.OLD_AND_NEW,
)
INCIDENT_INDEX = Table(
    "observability-incident-index",
    Billing.ON_DEMAND,
    Classification.INTERNAL,
    indexes=(DATASET_TIME_INDEX, STATUS_SEVERITY_INDEX),
    ttl=TTL,
    retention=Retention.INCIDENTS,
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


def _lineage(name: str) -> Table:
    return Table(
        name, Billing.ON_DEMAND, Classification.INTERNAL, ttl=TTL, retention=Retention.LINEAGE
    )


DATASET_WRITERS = _lineage("observability-dataset-writers")
DATASET_READERS = _lineage("observability-dataset-readers")
COLUMN_WRITERS = _lineage("observability-column-writers")
COLUMN_READERS = _lineage("observability-column-readers")
PROJECTION_STATE = Table(
    "observability-projection-state", Billing.ON_DEMAND, Classification.INTERNAL, ttl=TTL
)
EVIDENCE_CACHE = Table(
    "observability-evidence-cache",
    Billing.ON_DEMAND,
    Classification.INTERNAL,
    indexes=(EVIDENCE_TIME_INDEX,),
    ttl=TTL,
    hash="evidence_id",
    range=None,
    retention=Retention.EVIDENCE,
)
HEALTH_CHECK = Table(
    "observability-health-check",
    Billing.ON_DEMAND,
    Classification.INTERNAL,
    range=None,
    restorable=False,
)
EVENT_LOG = Table(
    "observability-event-log",
    Billing.ON_DEMAND,
    Classification.CONFIDENTIAL,
    ttl=TTL,
    range_type="N",
    stream=Stream.KEYS,
)
"""Nothing of the log ever expires: none of its items has a ttl. It is on all the same, because
what is kept beside it may."""

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
BESIDE_READ_MODELS = (EVIDENCE_CACHE, HEALTH_CHECK)
EVERY_TABLE = (*CATALOGUE, *BESIDE_READ_MODELS, EVENT_LOG)
