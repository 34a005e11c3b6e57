"""Rows while DynamoDB throttles, loses replies, answers in part and shows what is old."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from adapters.dynamodb.rows.engine import DynamoEngine
from adapters.eventstore.sealing.seals import Seals
from adapters.memory.keys import MemoryKeys
from adapters.read_models.view_store import TableCards
from adapters.row_layouts.catalogue import SIGNAL_STATE
from adapters.row_layouts.engine import Put, RowKey
from application.errors import Unavailable
from application.recorded import Recorded
from tests.adapters.dynamodb.log.logs import retrying, sends_once
from tests.adapters.dynamodb.rows.engines import empty_tables, row_tables
from tests.adapters.dynamodb.rows.test_writes import a_bit_of_everything, expected, rows, runs
from tests.adapters.dynamodb.support.fast_retries import usual_layers
from tests.adapters.dynamodb.support.faulty_transport import EVERY_KIND, Fault, FaultyTransport
from tests.adapters.dynamodb.support.stale_reads import StaleReads
from tests.support.scale import scaled

MET = frozenset(Fault) - {Fault.PART_OF_TRANSACTION, Fault.EXPIRED}
"""The others concern the log, or those who fetch credentials."""
RATES = {fault: rate for fault, rate in EVERY_KIND.items() if fault in MET}
LONG = a_bit_of_everything().facts


async def folded_under_faults(prefix: str, seed: int, facts: Sequence[Recorded]) -> Counter[Fault]:
    """Fold until it is done, as the runner does that starts over when something is unavailable."""
    faulty = FaultyTransport(sends_once(), seed, RATES)
    engine = DynamoEngine(usual_layers(faulty, Random(seed)), row_tables(prefix))
    try:
        for _ in range(1000):
            try:
                await runs(engine, facts, 3).catch_up()
            except Unavailable:
                continue
            break
        faulty.rates = {}
        assert await rows(engine) == await expected(facts)
        return faulty.fired
    finally:
        await faulty.close()


def test_rows_are_right_after_every_fault() -> None:
    fired: Counter[Fault] = Counter()
    for seed in range(scaled(4, 60)):
        with empty_tables() as prefix:
            fired += asyncio.run(folded_under_faults(prefix, seed, LONG))
    assert sum(fired.values()) > 20
    assert {Fault.REPLY_LOST, Fault.THROTTLE, Fault.INTERNAL_AFTER} <= fired.keys()


def test_no_fold_rests_on_a_stale_read() -> None:
    async def scene(prefix: str) -> None:
        stale = StaleReads(retrying(sends_once()))
        engine = DynamoEngine(stale, row_tables(prefix))
        try:
            # One fact at a time, and nothing kept in mind: everything is read again.
            for upto in range(1, len(LONG) + 1):
                await runs(engine, LONG[:upto], 1).catch_up()
            assert await rows(engine) == await expected(LONG)
            key = RowKey(SIGNAL_STATE.name, "urn:dp:orders:order_created:v1", "FRESHNESS")
            assert (await engine.get([key]), stale.stale) == ([], 1)
        finally:
            await stale.close()

    with empty_tables() as prefix:
        asyncio.run(scene(prefix))


@pytest.mark.parametrize("most", [1, 100, 101, 250])
def test_many_keys_are_read_in_batches_that_are_answered_in_part(most: int) -> None:
    async def scene(prefix: str) -> None:
        faulty = FaultyTransport(sends_once(), 1, {Fault.PART_OF_BATCH: 0.7})
        engine = DynamoEngine(usual_layers(faulty, Random(1)), row_tables(prefix))
        try:
            put = [{"PK": f"{n}", "SK": "x", "position": 1} for n in range(most)]
            await engine.write("p", [Put(SIGNAL_STATE.name, row) for row in put], upto=1)
            keys = [RowKey(SIGNAL_STATE.name, f"{n}", "x") for n in range(most + 30)]
            found = await engine.get(keys)
            assert sorted(row["PK"] for row in found) == sorted(f"{n}" for n in range(most))
        finally:
            await faulty.close()

    with empty_tables() as prefix:
        asyncio.run(scene(prefix))


def test_a_table_that_is_away_is_named() -> None:
    async def scene() -> None:
        transport = retrying(sends_once())
        engine = DynamoEngine(transport, row_tables("no-such-"))
        cards = TableCards(engine, Seals(MemoryKeys()))
        try:
            with pytest.raises(Unavailable, match="no-such-observability-projection-state"):
                await cards.reached("p")
        finally:
            await transport.close()

    asyncio.run(scene())
