"""A DynamoDB log with facts in it, looked at and mended."""

import os
from collections.abc import Sequence

from adapters.dynamodb.log.batches import PART_BYTES
from adapters.dynamodb.log.log import DynamoLog
from adapters.dynamodb.log_maintenance.inspection import DynamoInspector
from adapters.dynamodb.log_maintenance.repair import DynamoMender
from adapters.eventstore.inspection.inspector import Finding
from adapters.eventstore.inspection.readability import Readability
from adapters.eventstore.log import Append, NewEvent
from tests.adapters.eventstore.engines import Clock
from tests.adapters.eventstore.findings import found
from tests.adapters.eventstore.sample_log import a_mapper, appends


def large(stream: str, parts: int) -> Append:
    data = os.urandom(PART_BYTES * parts - 1_000)
    return Append([NewEvent(stream, 1, "thing.happened", data, os.urandom(16))])


async def told(log: DynamoLog, clock: Clock) -> None:
    """Batches at 1, 2, 4 and 6, the events of the datasets' and the incidents' streams."""
    for one in appends(MAPPER):
        clock.move(milliseconds=1)
        await log.append(one)


MAPPER = a_mapper()


async def findings(log: DynamoLog, *, facts: bool = True) -> list[Finding]:
    trouble = Readability(MAPPER) if facts else _understood
    return await found(DynamoInspector(log.reader, trouble))


def _understood(entry: object) -> None:
    return None


async def mended(log: DynamoLog, told: Sequence[Finding]) -> None:
    for one in told:
        if one.remedy is not None:
            await DynamoMender(log.reader).mend(one)
