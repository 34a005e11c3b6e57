"""What the records of the table's stream, as a function is given them, say about the log."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from attrs import frozen

from adapters.dynamodb.log.keys import Keys, part_of
from adapters.row_layouts.catalogue import PK, SK

Event = Mapping[str, Any]


@frozen
class Written:
    """A log batch that was written, and under which number the stream knows of it."""

    first: int
    sequence_number: str


def batches_written(event: Event, keys: Keys) -> list[Written]:
    """The log batches among the records, in the stream's order; other items say nothing."""
    log = keys.block(0).removesuffix("0")
    changes = [record["dynamodb"] for record in event.get("Records", ())]
    return [
        Written(part_of(Decimal(change["Keys"][SK]["N"]))[0], change["SequenceNumber"])
        for change in changes
        if change["Keys"][PK]["S"].startswith(log)
    ]
