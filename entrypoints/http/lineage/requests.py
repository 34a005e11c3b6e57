"""Lineage in JSON: the specs that ingestors send, and what becomes of them."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from application.lineage.commands_and_queries import LineageDeclared
from application.reads.position import Position
from domain.errors import Violation
from domain.ids import ENTITY_ID
from domain.lineage.lineage import EntityType, LineageSpecOutcome
from domain.lineage.report import (
    LONGEST_NAME,
    LONGEST_TTL,
    MOST_ENTRIES,
    SHORTEST_TTL,
    LineageReport,
    ReportedEntry,
)
from domain.signal.evaluation import Confidence
from domain.timestamps import stamp
from entrypoints.http.datasets.requests import Urn
from entrypoints.http.description.examples import LINEAGE_SPEC
from entrypoints.http.validation.models import Body
from entrypoints.http.validation.names import COLUMN_SCHEMA
from entrypoints.http.validation.timestamps import Moment, Stamp

ColumnUrn = Annotated[str, Field(json_schema_extra=COLUMN_SCHEMA)]
Entries = Field(None, json_schema_extra={"maxItems": MOST_ENTRIES})


class _LineageEntry(Body):
    entity_id: (
        Annotated[str, Field(json_schema_extra={"pattern": f"^{ENTITY_ID.pattern}$"})] | None
    ) = Field(None, json_schema_extra={"maxLength": 200}, examples=["job:finance-pipeline"])
    entity_name: str | None = Field(
        None, json_schema_extra={"minLength": 1, "maxLength": LONGEST_NAME}
    )
    entity_type: (
        Annotated[str, Field(json_schema_extra={"enum": [str(one) for one in EntityType]})] | None
    ) = None

    def reported(self, urn: str | None) -> ReportedEntry:
        return ReportedEntry(urn, self.entity_id, self.entity_name, self.entity_type)


class DatasetLineageEntry(_LineageEntry):
    """An entity and a dataset that it reads or writes."""

    required = ("dataset_urn", "entity_id", "entity_name", "entity_type")

    dataset_urn: Urn | None = None


class ColumnLineageEntry(_LineageEntry):
    """An entity and a column that it reads or writes; it then does so with the dataset, too."""

    required = ("column_urn", "entity_id", "entity_name", "entity_type")

    column_urn: ColumnUrn | None = None


class LineageSpecRequest(Body):
    """All that a producer declares. What an older spec of the producer said beyond it is over."""

    model_config = ConfigDict(json_schema_extra={"examples": [LINEAGE_SPEC]})

    required = ("confidence", "commit", "updated_at")

    spec_id: str | None = Field(None, description="If sent, the one in the path.")
    dataset_reads: list[DatasetLineageEntry] | None = Entries
    dataset_writes: list[DatasetLineageEntry] | None = Entries
    column_reads: list[ColumnLineageEntry] | None = Entries
    column_writes: list[ColumnLineageEntry] | None = Entries
    confidence: (
        Annotated[str, Field(json_schema_extra={"enum": [str(one) for one in Confidence]})] | None
    ) = None
    commit: str | None = Field(
        None, description="The one in the spec's id, or its long form.", examples=["9f31c2d"]
    )
    updated_at: Moment | None = Field(
        None,
        description="When the spec was made, such as the time of the commit: of two specs of a "
        "producer the later one counts, whichever arrives first.",
    )
    ttl_seconds: int | None = Field(
        None,
        description="How long the spec holds from `updated_at`; if nothing is said, as long as the "
        "server's settings say, 90 days usually.",
        json_schema_extra={"minimum": SHORTEST_TTL, "maximum": LONGEST_TTL},
    )

    def report(self, spec_id: str, unreadable: tuple[Violation, ...]) -> LineageReport:
        return LineageReport(
            spec_id=spec_id,
            confidence=self.confidence,
            commit=self.commit,
            updated_at=self.updated_at,
            ttl_seconds=self.ttl_seconds,
            dataset_reads=_datasets(self.dataset_reads),
            dataset_writes=_datasets(self.dataset_writes),
            column_reads=_columns(self.column_reads),
            column_writes=_columns(self.column_writes),
            unreadable=unreadable,
        )


def _datasets(entries: Sequence[DatasetLineageEntry] | None) -> tuple[ReportedEntry, ...]:
    return tuple(entry.reported(entry.dataset_urn) for entry in entries or ())


def _columns(entries: Sequence[ColumnLineageEntry] | None) -> tuple[ReportedEntry, ...]:
    return tuple(entry.reported(entry.column_urn) for entry in entries or ())


class LineageSpecResponse(BaseModel):
    """What became of the spec."""

    spec_id: str
    producer_id: str
    result: LineageSpecOutcome = Field(
        description="`applied`: it holds now. `unchanged`: it did already. `superseded`: a later "
        "spec of the producer holds."
    )
    current_spec_id: str = Field(description="The spec that holds now.")
    updated_at: Stamp = Field(description="When the spec that holds was made.")
    expires_at: Stamp = Field(description="When the spec that holds ends.")
    position: str = Field(description="Where the log stood; an opaque token.")

    @classmethod
    def of(cls, declared: LineageDeclared) -> "LineageSpecResponse":
        held = declared.in_force
        return cls(
            spec_id=declared.spec.spec_id,
            producer_id=declared.spec.producer,
            result=declared.outcome,
            current_spec_id=held.spec_id,
            updated_at=stamp(held.updated_at),
            expires_at=stamp(held.ends_at),
            position=Position(declared.position).token(),
        )
