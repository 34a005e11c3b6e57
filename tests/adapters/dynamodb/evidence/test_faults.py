"""Evidence while DynamoDB throttles, answers in part and loses replies: nothing gets lost."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from random import Random
from typing import TypeVar

import pytest

from adapters.dynamodb.items.typed_values import text
from adapters.dynamodb.transport.transport import Operation
from application.errors import Damaged, Unavailable
from application.reads.paging import PageRequest
from domain.timestamps import stamp
from tests.adapters.dynamodb.log.logs import sends_once
from tests.adapters.dynamodb.support.fast_retries import usual_layers
from tests.adapters.dynamodb.support.faulty_transport import EVERY_KIND, Fault, FaultyTransport
from tests.adapters.evidence_cache.caches import KEPT_FOR, SetClock, dynamo_cache
from tests.adapters.evidence_cache.some_evidence import NOON, WHOLE_DAY, some
from tests.support.scale import scaled

T = TypeVar("T")

MET = frozenset(Fault) - {Fault.PART_OF_TRANSACTION, Fault.EXPIRED}
RATES = {fault: rate for fault, rate in EVERY_KIND.items() if fault in MET}
EVERY = [some(number) for number in range(110)]
NAMES = [one.evidence_id for one in EVERY]
PINNED = NAMES[::10]


async def until_done(do: Callable[[], Awaitable[T]]) -> T:
    """As callers do who start over when something is unavailable."""
    for _ in range(100):
        try:
            return await do()
        except Unavailable:
            continue
    pytest.fail("it was never done")


async def one_history(seed: int) -> Counter[Fault]:
    faulty, clock = FaultyTransport(sends_once(), seed, RATES), SetClock()
    cache = dynamo_cache(usual_layers(faulty, Random(seed)), clock)
    try:
        await until_done(lambda: cache.put(EVERY[:100], pinned=PINNED[:5]))
        await until_done(lambda: cache.put(EVERY[50:]))
        assert not await until_done(lambda: cache.pin(PINNED))
        assert len(await until_done(lambda: cache.named(NAMES))) == len(EVERY)
        page = await until_done(lambda: cache.of_dataset(WHOLE_DAY, PageRequest(200)))
        assert list(page.items) == EVERY[::-1]
        clock.at = NOON + KEPT_FOR
        assert set(await until_done(lambda: cache.named(NAMES))) == set(PINNED)
        await until_done(lambda: cache.unpin(PINNED))
        assert await until_done(lambda: cache.named(NAMES)) == {}
        await until_done(cache.clear)
        return faulty.fired
    finally:
        faulty.rates = {}
        await cache.clear()
        await faulty.close()


def test_nothing_is_lost_under_faults() -> None:
    """S0-317: what a batch left out is sent again."""
    fired: Counter[Fault] = Counter()
    for seed in range(scaled(2, 60)):
        fired += asyncio.run(one_history(seed))
    assert {Fault.REPLY_LOST, Fault.THROTTLE, Fault.PART_OF_BATCH} <= fired.keys()


def test_what_is_left_out_all_the_time_is_told() -> None:
    async def scene() -> None:
        faulty = FaultyTransport(sends_once(), 1, {Fault.THROTTLE: 1.0})
        cache = dynamo_cache(usual_layers(faulty, Random(1)), SetClock())
        try:
            with pytest.raises(Unavailable, match="throttling"):
                await cache.put(EVERY)
            faulty.rates = {}
            assert await cache.named(NAMES) == {}
        finally:
            await faulty.close()

    asyncio.run(scene())


def test_rows_are_those_of_the_design() -> None:
    """S0-104..S0-109: maps and names as the seed has them; a pin takes the place of the ttl."""

    async def scene() -> None:
        transport = usual_layers(sends_once(), Random(1))
        cache = dynamo_cache(transport, SetClock())
        try:
            await cache.put(EVERY[:2], pinned=NAMES[1:2])
            found = await cache._items(NAMES[:2])
        finally:
            await cache.clear()
            await transport.close()
        hot, pinned = (found[name] for name in NAMES[:2])
        assert hot["ttl"] == {"N": str(int((NOON + KEPT_FOR).timestamp()))}
        assert ("pinned" in hot, "ttl" in pinned, pinned["pinned"]) == (
            False,
            False,
            {"BOOL": True},
        )
        assert hot["validation"]["M"]["failed_gates"] == {"L": [{"S": "G4_CONTRACT"}]}
        assert hot["source"]["M"]["offset"] == {"N": "847293847"}

    asyncio.run(scene())


def test_a_row_that_is_damaged_makes_all_of_the_cache_suspect_while_it_is_there() -> None:
    async def scene() -> None:
        transport = usual_layers(sends_once(), Random(1))
        cache, other = (dynamo_cache(transport, SetClock()) for _ in range(2))
        try:
            await cache.put(EVERY[:3], pinned=NAMES[:3])
            row = {"evidence_id": text(NAMES[0]), "dataset_urn": text(EVERY[0].dataset)}
            damaged = {**row, "created_at": text(stamp(NOON)), "pinned": {"BOOL": True}}
            put = {"RequestItems": {cache.table: [{"PutRequest": {"Item": damaged}}]}}
            await transport.call(Operation.BATCH_WRITE_ITEM, put)
            await cache.check()
            for ask in (
                cache.named(NAMES[:3]),
                cache.of_dataset(WHOLE_DAY, PageRequest(9)),
                cache.unpin(NAMES[:3]),
                other.named(NAMES[:3]),
                cache.check(),
            ):
                with pytest.raises(Damaged, match=NAMES[0]):
                    await ask
            suspect = [cache.is_suspect, other.is_suspect]
            assert (await cache.named(NAMES[1:3])).keys() == {*NAMES[1:3]}
            await cache.clear()
            suspect += [cache.is_suspect, other.is_suspect]
            # Another process learns of it.
            await other.check()
            assert [*suspect, other.is_suspect] == [True, True, False, True, False]
        finally:
            await cache.clear()
            await transport.close()

    asyncio.run(scene())
