"""
Dead letters as rows of `observability-projection-state`.

    PK            SK                      card
    dead-letters  webhook-oncall#019a8e…  {"event_type": …, "reason": …, "attempts": 10, …}

They lie together, sink by sink, and never expire: somebody has to decide about them.
"""

from adapters.row_layouts.catalogue import PROJECTION_STATE
from adapters.row_layouts.engine import Row, RowKey
from adapters.row_layouts.nested import converter
from application.delivery.dead_letter_read_model import DeadLetterKey, DeadLetterView

PARTITION = "dead-letters"


def row_key(key: DeadLetterKey) -> RowKey:
    return RowKey(PROJECTION_STATE.name, PARTITION, f"{of_sink(key.sink)}{key.event_id}")


def of_sink(sink: str) -> str:
    """What the sort keys of a sink's letters begin with."""
    return f"{sink}#"


def key_of(row: Row) -> DeadLetterKey:
    return DeadLetterKey(*row["SK"].split("#"))


def to_row(card: DeadLetterView, position: int) -> Row:
    place = row_key(card.key)
    content = converter().unstructure(card)
    return {"PK": place.pk, "SK": place.sk, "view": content, "position": position}


def from_row(row: Row) -> DeadLetterView:
    return converter().structure(row["view"], DeadLetterView)
