"""
The layout of seed 002 for the same events, priced by the same rules: nothing is sent.

    events   pk = sk = EVENT#id, one index over all events
    tags     pk = TAG#tag, sk = sortable id # event id, one index by tag group; two tags per event
"""

from typing import Any

from adapters.dynamodb.transport.capacity import charges_of_answer
from adapters.dynamodb.transport.transport import Operation
from adapters.eventstore.log import NewEvent
from adapters.row_layouts.catalogue import Index

INDEXES = {
    "events": (Index("GSI1", "gsi1pk", "sortableUniqueId"),),
    "tags": (Index("GSI1", "tagGroup", "tagString"),),
}


def write_units(event: NewEvent) -> float:
    """Of one event with two tags, in one transaction."""
    items = [("events", _event_item(event)), *(("tags", _tag_item(event, n)) for n in range(2))]
    puts = [{"Put": {"TableName": table, "Item": item}} for table, item in items]
    charges = charges_of_answer(
        Operation.TRANSACT_WRITE_ITEMS, {"TransactItems": puts}, {}, INDEXES
    )
    return sum(units.write for _, units in charges)


def _event_item(event: NewEvent) -> dict[str, Any]:
    name = event.event_id.hex()
    return {
        "pk": _text(f"EVENT#{name}"),
        "sk": _text(f"EVENT#{name}"),
        "gsi1pk": _text("ALL_EVENTS"),
        "eventId": _text(name),
        "sortableUniqueId": _text(f"{event.version:030}"),
        "eventType": _text(event.name),
        "payload": _text(event.data.decode()),
        "envelope": _text(event.meta.decode()),
        "tags": {"L": [_text(_tag(event, number)) for number in range(2)]},
        "timestamp": _text("2026-01-15T09:55:00.000Z"),
    }


def _tag_item(event: NewEvent, number: int) -> dict[str, Any]:
    name, tag = event.event_id.hex(), _tag(event, number)
    return {
        "pk": _text(f"TAG#{tag}"),
        "sk": _text(f"{event.version:030}#{name}"),
        "tagString": _text(tag),
        "tagGroup": _text(tag.split(":", 1)[0]),
        "eventType": _text(event.name),
        "eventId": _text(name),
        "sortableUniqueId": _text(f"{event.version:030}"),
        "createdAt": _text("2026-01-15T09:55:00.000Z"),
    }


def _tag(event: NewEvent, number: int) -> str:
    return f"{('signal', 'dataset')[number]}:{event.stream}"


def _text(value: str) -> dict[str, str]:
    return {"S": value}
