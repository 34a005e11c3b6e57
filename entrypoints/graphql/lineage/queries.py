"""Who writes and reads a dataset or a column (S0-179, S0-180, S0-185)."""

from collections.abc import Callable
from datetime import datetime

import strawberry
from strawberry import UNSET

from application.lineage import read_model as graph
from application.lineage.commands_and_queries import ReadReaders, ReadWriters
from application.violations import refuse_any
from domain.errors import Violation
from domain.ids import Place
from entrypoints.graphql.arguments import AsOf, MinPosition
from entrypoints.graphql.context import Info
from entrypoints.graphql.enums import Confidence, EntityType
from entrypoints.graphql.limits.list_limits import BOUNDED, gathered
from entrypoints.interfaces.names import column_named, dataset_named

_DATASET = f"In the order of their ids. A dataset need not be registered. {BOUNDED}"
_COLUMN = f"Only those who are declared to, in the order of their ids. {BOUNDED}"


@strawberry.type(
    description="An entity that writes or reads. Where several specs say so, the surest and then "
    "latest counts."
)
class LineageEntry:
    entity_id: str
    entity_name: str
    entity_type: EntityType
    confidence: Confidence
    spec_id: str
    commit: str | None = strawberry.field(description="Null if the spec names none.")
    updated_at: datetime
    expires_at: datetime = strawberry.field(
        description="When the last of the specs that say so ends."
    )
    other_spec_ids: list[str] = strawberry.field(
        description="Specs of other producers that say the same."
    )

    @classmethod
    def of(cls, entry: graph.LineageEntry) -> "LineageEntry":
        return cls(
            entity_id=entry.entity.entity_id,
            entity_name=entry.entity.name,
            entity_type=entry.entity.type,
            confidence=entry.confidence,
            spec_id=entry.spec_id,
            commit=entry.commit or None,
            updated_at=entry.updated_at,
            expires_at=entry.ends_at,
            other_spec_ids=list(entry.other_specs),
        )


Named = Callable[[str, list[Violation]], str]


async def _entries(
    info: Info,
    reading: ReadWriters | ReadReaders,
    named: Named,
    urn: str,
    as_of: datetime | None,
    min_position: str | None,
) -> list[LineageEntry]:
    context, found = info.context, list[Violation]()
    at, place = context.at(as_of, min_position, found), Place(named(urn, found))
    refuse_any(found)
    entries = await gathered(
        info, at, lambda page: reading(place, page, demand=at.demand, by=context.by)
    )
    return [LineageEntry.of(one.what) for one in entries]


@strawberry.type
class LineageQueries:
    @strawberry.field(description=f"Who writes a dataset. {_DATASET}")
    async def dataset_writers(
        self,
        info: Info,
        dataset_urn: str,
        as_of: AsOf = UNSET,
        min_position: MinPosition = UNSET,
    ) -> list[LineageEntry]:
        reading = info.context.use.read_writers
        return await _entries(info, reading, dataset_named, dataset_urn, as_of, min_position)

    @strawberry.field(description=f"Who reads a dataset. {_DATASET}")
    async def dataset_readers(
        self,
        info: Info,
        dataset_urn: str,
        as_of: AsOf = UNSET,
        min_position: MinPosition = UNSET,
    ) -> list[LineageEntry]:
        reading = info.context.use.read_readers
        return await _entries(info, reading, dataset_named, dataset_urn, as_of, min_position)

    @strawberry.field(description=f"Who writes a column. {_COLUMN}")
    async def column_writers(
        self,
        info: Info,
        column_urn: str,
        as_of: AsOf = UNSET,
        min_position: MinPosition = UNSET,
    ) -> list[LineageEntry]:
        reading = info.context.use.read_writers
        return await _entries(info, reading, column_named, column_urn, as_of, min_position)

    @strawberry.field(description=f"Who reads a column. {_COLUMN}")
    async def column_readers(
        self,
        info: Info,
        column_urn: str,
        as_of: AsOf = UNSET,
        min_position: MinPosition = UNSET,
    ) -> list[LineageEntry]:
        reading = info.context.use.read_readers
        return await _entries(info, reading, column_named, column_urn, as_of, min_position)
