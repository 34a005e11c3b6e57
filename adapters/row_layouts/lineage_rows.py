"""
Lineage as rows of four tables, one for each question, and of one of our own.

    observability-dataset-writers   who writes a dataset
    observability-dataset-readers   who reads a dataset
    observability-column-writers    who writes a column
    observability-column-readers    who reads a column

    PK           SK                                                  ttl
    urn:dp:…:v1  producer#job:orders-landing#job:orders-landing      updated_at + ttl_seconds
    urn:col:…:x  consumer#job:finance#nightly-scan

The sort key ends with the producer whose spec declares it, because several may declare the same
(T13). Ids have no `#`, so all rows of an entity lie together.

    observability-projection-state    what an entity writes

    PK                                SK                              view
    entity-writes#job:orders-landing  urn:dp:…:v1#job:orders-landing  {"entity": …, "writing": …}
    entity-wrote#job:orders-landing   STATE                           none

The row `entity-wrote` exists once the entity was declared to write something. Partitions cannot be
asked for together, rows can: so only those of entities that ever wrote are.
"""

import math
from typing import Any

from adapters.row_layouts.catalogue import (
    COLUMN_READERS,
    COLUMN_WRITERS,
    DATASET_READERS,
    DATASET_WRITERS,
    PROJECTION_STATE,
    Table,
)
from adapters.row_layouts.engine import Row, RowKey
from adapters.row_layouts.expiry import ttl
from adapters.row_layouts.nested import converter
from application.lineage.read_model import (
    TieKey,
    TieView,
    WriterKey,
    WriterView,
    WrittenKey,
    WrittenView,
)
from domain.ids import DatasetUrn, EntityId, Place, ProducerId, SpecId, is_column, spec_parts
from domain.lineage.impact import Reading
from domain.lineage.lineage import Entity, EntityType, Role, Tie
from domain.signal.evaluation import Confidence
from domain.timestamps import moment, stamp

_KINDS = {Role.WRITER: "producer", Role.READER: "consumer"}

# Ties.


def table_of(role: Role, place: Place) -> Table:
    if is_column(place):
        return COLUMN_WRITERS if role is Role.WRITER else COLUMN_READERS
    return DATASET_WRITERS if role is Role.WRITER else DATASET_READERS


def tie_key(key: TieKey) -> RowKey:
    tie = key.tie
    return RowKey(
        table_of(tie.role, tie.place).name,
        tie.place,
        f"{_KINDS[tie.role]}#{tie.entity}#{key.producer}",
    )


def beyond(role: Role, entity: EntityId) -> str:
    """A sort key after all rows of the entity and before all of the next: `$` comes after `#`."""
    return f"{_KINDS[role]}#{entity}$"


def tie_key_of(row: Row) -> TieKey:
    role = _role(row)
    entity = EntityId(row[f"{_KINDS[role]}_id"])
    producer, _, _ = spec_parts(SpecId(row["spec_id"]))
    return TieKey(Tie(role, Place(row["PK"]), entity), producer)


def tie_to_row(card: TieView, position: int) -> Row:
    place, kind = tie_key(card.key), _KINDS[card.role]
    return {
        "PK": place.pk,
        "SK": place.sk,
        f"{kind}_id": card.entity.entity_id,
        f"{kind}_name": card.entity.name,
        f"{kind}_type": card.entity.type.value,
        "confidence": card.confidence.value,
        "spec_id": card.spec_id,
        "commit": card.commit,
        "updated_at": stamp(card.updated_at),
        "ttl": ttl(card.ends_at),
        "position": position,
    }


def tie_from_row(row: Row) -> TieView:
    role, updated_at = _role(row), moment(row["updated_at"])
    kind = _KINDS[role]
    return TieView(
        role=role,
        place=Place(row["PK"]),
        entity=Entity(
            EntityId(row[f"{kind}_id"]), row[f"{kind}_name"], EntityType(row[f"{kind}_type"])
        ),
        confidence=Confidence(row["confidence"]),
        spec_id=SpecId(row["spec_id"]),
        commit=row["commit"],
        updated_at=updated_at,
        # Whole seconds were added, and then it was rounded up.
        ttl_seconds=int(row["ttl"]) - math.ceil(updated_at.timestamp()),
    )


def reading_from_row(row: Row) -> Reading:
    """Only what a walk needs of a consumer's row."""
    entity = Entity(
        EntityId(row["consumer_id"]), row["consumer_name"], EntityType(row["consumer_type"])
    )
    return Reading(entity, Confidence(row["confidence"]))


def _role(row: Row) -> Role:
    return Role.WRITER if "producer_id" in row else Role.READER


# What an entity writes.


def written_partition(entity: EntityId) -> str:
    return f"entity-writes#{entity}"


def written_key(key: WrittenKey) -> RowKey:
    return RowKey(
        PROJECTION_STATE.name, written_partition(key.entity), f"{key.dataset}#{key.producer}"
    )


def written_key_of(row: Row) -> WrittenKey:
    dataset, _, producer = row["SK"].partition("#")
    entity = EntityId(row["PK"].partition("#")[2])
    return WrittenKey(entity, DatasetUrn(dataset), ProducerId(producer))


def written_to_row(card: WrittenView, position: int) -> Row:
    place = written_key(card.key)
    content: dict[str, Any] = converter().unstructure(card)
    return {
        "PK": place.pk,
        "SK": place.sk,
        "view": content,
        "ttl": ttl(card.ends_at),
        "position": position,
    }


def written_from_row(row: Row) -> WrittenView:
    return converter().structure(row["view"], WrittenView)


# Whether an entity ever wrote anything.


def writer_key(key: WriterKey) -> RowKey:
    return RowKey(PROJECTION_STATE.name, f"entity-wrote#{key.entity}", "STATE")


def writer_key_of(row: Row) -> WriterKey:
    return WriterKey(EntityId(row["PK"].partition("#")[2]))


def writer_to_row(card: WriterView, position: int) -> Row:
    place = writer_key(card.key)
    return {"PK": place.pk, "SK": place.sk, "position": position}


def writer_from_row(row: Row) -> WriterView:
    return WriterView(writer_key_of(row).entity)
