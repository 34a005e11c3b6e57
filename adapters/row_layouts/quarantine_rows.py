"""
Facts that a projection could not take, as rows of `observability-projection-state`.

    PK                      SK                    event_id  recorded_at  because
    quarantined#<projection>  00000000000000000042  01a4…     2026-…Z      KeyError: 'tier'

Sort keys are positions with leading zeros, so that they are read in the order of the log.
"""

from adapters.row_layouts.catalogue import PROJECTION_STATE
from adapters.row_layouts.engine import Row, RowKey
from application.projections.quarantined_facts import SetAside, SetAsideKey
from domain.timestamps import moment, stamp

PREFIX = "quarantined#"


def partition_key(projection: str) -> str:
    return f"{PREFIX}{projection}"


def row_key(key: SetAsideKey) -> RowKey:
    return RowKey(PROJECTION_STATE.name, partition_key(key.projection), f"{key.position:020}")


def key_of(row: Row) -> SetAsideKey:
    return SetAsideKey(row["PK"].removeprefix(PREFIX), int(row["SK"]))


def to_row(card: SetAside, position: int) -> Row:
    place = row_key(card.key)
    return {
        "PK": place.pk,
        "SK": place.sk,
        "event_id": card.event_id,
        "recorded_at": stamp(card.recorded_at),
        "reason": card.reason,
        "position": position,
    }


def from_row(row: Row) -> SetAside:
    key = key_of(row)
    return SetAside(
        projection=key.projection,
        position=key.position,
        event_id=row["event_id"],
        recorded_at=moment(row["recorded_at"]),
        reason=row["reason"],
    )
