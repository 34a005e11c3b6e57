"""What the log costs in capacity units, by AWS's rules (DynamoDB Local does not count truly)."""

import asyncio
from random import Random

from adapters.dynamodb.log.log import DynamoLog
from adapters.dynamodb.transport.capacity_meter import CapacityMeter
from adapters.eventstore.log import Append, NewEvent
from tests.adapters.dynamodb.log.logs import open_log, retrying, sends_once
from tests.adapters.dynamodb.support import dynamodb_local
from tests.adapters.eventstore.log.appends import append, guarded

STREAMS, ROUNDS = 50, 6


def evaluated(stream: int, version: int, dice: Random) -> Append:
    """A fact as signals record it: JSON with a few numbers, and an envelope with random ids."""
    data = b'{"state":"OK","score":%.3f,"window_start":"2026-01-15T%02d:00:00.000Z",' % (
        dice.random(),
        version,
    )
    data += b'"metrics":{"evidence_count":%d,"pass_count":%d}}' % (
        dice.randrange(1000),
        dice.randrange(1000),
    )
    meta = b'{"v":1,"by":"engine","cor":"%s"}' % dice.randbytes(13).hex().encode()
    name = f"signal-urn:dp:orders:order_{stream}:v1:VOLUME"
    return Append([NewEvent(name, version, "signal.evaluated", data, dice.randbytes(16), meta)])


def test_groups_and_pages_are_cheap() -> None:
    async def scene() -> tuple[float, float, float]:
        dice, meter = Random(1), CapacityMeter(retrying(sends_once()))
        async with open_log(dynamodb_local.unused_table("costs"), meter) as log:
            await log.append(evaluated(999, 1, dice))
            meter.reset()
            await log.append(evaluated(999, 2, dice))
            alone = meter.total().write
            meter.reset()
            for version in range(1, ROUNDS + 1):
                await asyncio.gather(
                    *(log.append(evaluated(n, version, dice)) for n in range(STREAMS))
                )
            written = meter.total().write
            meter.reset()
            position = 0
            while page := await log.read(position, 100):
                position = page[-1].position
            return alone, written / (STREAMS * ROUNDS), meter.total().read / position

    alone, grouped, replayed = asyncio.run(scene())
    assert alone <= 4
    assert grouped <= 2.4
    assert replayed <= 0.05


def test_guards_cost_once_as_long_as_nobody_else_writes() -> None:
    async def scene() -> list[float]:
        app, meter = dynamodb_local.unused_table("costs"), CapacityMeter(retrying(sends_once()))
        async with open_log(app) as other, open_log(app, meter) as log:
            await other.append(append("g-1", 1))
            await log.append(append("a-1", 1))
            first = await _units(log, meter, guarded("a-1", 2, ("g-1", 1)))
            again = await _units(log, meter, guarded("a-1", 3, ("g-1", 1)))
            await other.append(append("b-1", 1))
            await log.append(append("c-1", 1))
            after_another = await _units(log, meter, guarded("a-1", 4, ("g-1", 1)))
            return [first, again, after_another]

    assert asyncio.run(scene()) == [6, 4, 6]


async def _units(log: DynamoLog, meter: CapacityMeter, wanted: Append) -> float:
    meter.reset()
    await log.append(wanted)
    return meter.total().write
