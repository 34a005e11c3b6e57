"""DynamoDB lags and throttles: decisions rest on what is true, readers see what once was true."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

from attrs import define
from dependency_injector import providers

from adapters.dynamodb.items.item_table import ItemTable
from adapters.dynamodb.log.log import DynamoLog
from application.caller import Caller
from application.incidents.read_model import IncidentFilter
from application.reads.demand import NOTHING, Demand
from application.reads.paging import PageRequest
from application.reads.position import Position
from domain.dataset.settings_validation import DatasetReport
from domain.ids import IncidentId
from domain.incident.report import IncidentReport
from domain.incident.values import IncidentStatus
from domain.signal.evaluation import SignalStateEnum
from entrypoints.container import build
from entrypoints.settings.loading import load
from entrypoints.wiring.opening import close, open_tables
from tests.adapters.dynamodb.log.logs import sends_once
from tests.adapters.dynamodb.rows.engines import empty_tables, row_tables
from tests.adapters.dynamodb.support.fast_retries import usual_layers
from tests.adapters.dynamodb.support.faulty_transport import Fault, FaultyTransport
from tests.adapters.dynamodb.support.lagging_reads import LaggingReads
from tests.application.policies.scene import LATE, ONE, evaluated, opened, resolved, snoozed, told
from tests.application.store import (
    ADMIN,
    ORDERS,
    SETTINGS,
    VOLUME,
    StandingClock,
    Store,
    open_store,
    report,
)
from tests.entrypoints.support.dynamodb_settings import on_dynamodb
from tests.support.scale import scaled

READER = Caller("reader@company.example", roles=frozenset({"admin"}))
"""Somebody who writes nothing, and so waits for nothing."""

RATES = dict.fromkeys(
    [
        Fault.THROTTLE,
        Fault.THROTTLED_ITEM,
        Fault.CONFLICT,
        Fault.PART_OF_BATCH,
        Fault.INTERNAL_BEFORE,
        Fault.RESET_BEFORE,
        Fault.REPLY_LOST,
    ],
    0.04,
)


@define
class Ground:
    """Tables that lag behind, and as many processes on them as are opened."""

    settings: dict[str, str]
    replica: str
    seed: int
    clock: StandingClock
    transport: LaggingReads | None = None

    @asynccontextmanager
    async def process(self) -> AsyncIterator[Store]:
        container = build(load(self.settings, Path("none")))
        prefix = self.settings["STATESTORE_TABLE_PREFIX"]
        faulty = FaultyTransport(sends_once(), self.seed, RATES)
        layers = usual_layers(faulty, Random(self.seed))
        self.transport = LaggingReads(layers, prefix, self.replica)
        table = ItemTable(self.transport, self.settings["STATESTORE_DYNAMODB_TABLE"])
        container.clock.override(providers.Object(self.clock))
        container.log.override(providers.Singleton(DynamoLog, table, now=self.clock.now))
        container.row_tables.override(providers.Object(row_tables(prefix)))
        container.folder()
        try:
            await container.log().open()
            await open_tables(container)
            yield Store(container, self.clock)
        finally:
            await close(container)


def play(story: Callable[[Ground], Coroutine[Any, Any, None]], seed: int = 1) -> None:
    with on_dynamodb() as settings, empty_tables() as replica:
        asyncio.run(story(Ground(settings, replica, seed, StandingClock())))


# Decisions.


async def begins(store: Store) -> None:
    await store.use_cases.register_dataset(DatasetReport(ORDERS, SETTINGS), by=ADMIN)
    await evaluated(store, 0, "CRITICAL")
    await opened(store)
    await store.react()
    await snoozed(store, 2)


async def goes_on(store: Store) -> None:
    """The snooze ends, people resolve and the fault comes back, and in the end all is well."""
    store.clock.at += timedelta(hours=3)
    await store.react()
    await resolved(store)
    await evaluated(store, 1, "CRITICAL")
    joined = IncidentReport(ORDERS, (VOLUME,), (LATE,), "SEV_2", IncidentId("INC-2"))
    await store.use_cases.open_incident(joined, by=ADMIN)
    for window in (2, 3, 4):
        await evaluated(store, window)


async def history(store: Store) -> list[tuple[object, str]]:
    page = (await store.use_cases.read_timeline(ONE, PageRequest(100), by=ADMIN)).value
    return [(one.fact, one.by) for one in page.items]


async def without_lag() -> list[tuple[object, str]]:
    async with open_store("memory", Path("none")) as store:
        await begins(store)
        await goes_on(store)
        return await history(store)


def test_decisions_are_the_same_however_old_every_read_may_be() -> None:
    """Nothing that was written is ever shown to a read that is not strong, nor in any index."""

    async def story(ground: Ground) -> None:
        async with ground.process() as store:
            await begins(store)
        # Policies begin anew, with a list of open incidents on which there is none yet.
        async with ground.process() as store:
            await store.react()
            await goes_on(store)
            assert (await told(store)).status is IncidentStatus.RESOLVED
            found = await history(store)
            assert ground.transport
            assert ground.transport.lagged > 0
        assert found == await without_lag()

    play(story)


def test_a_policy_that_looks_back_finds_what_is_not_listed_yet() -> None:
    """Without that, the incident above would stay open for ever."""

    async def story(ground: Ground) -> None:
        async with ground.process() as store:
            await begins(store)
        async with ground.process() as store:
            for runner in store.container.policy_runners():
                handler: Any = runner.followers[0].handler
                handler.looks_back = 0
            await store.react()
            for window in (2, 3, 4):
                await evaluated(store, window)
            assert (await told(store)).status is not IncidentStatus.RESOLVED

    play(story)


# Readers.


@define
class Seen:
    """All that was ever true, as strong reads told it."""

    signals: list[Any]
    incidents: list[Any]


async def look(store: Store, seen: Seen) -> None:
    """Whatever is shown to whoever, it was true once; and to those who ask for it, it is now."""
    read_signal, list_incidents = store.use_cases.read_signal, store.use_cases.list_incidents
    listed = (IncidentFilter(), PageRequest(100))

    async def ask(demand: Demand, use_case: Any, *about: Any, by: Caller) -> Any:
        return (await use_case(*about, demand=demand, by=by)).value

    seen.signals.append(await ask(Demand(strong=True), read_signal, ORDERS, VOLUME, by=READER))
    seen.incidents += (await ask(Demand(strong=True), list_incidents, *listed, by=READER)).items
    floor = Demand(min_position=Position(await store.container.feed().head()))
    for demand, by in ((floor, READER), (NOTHING, ADMIN)):
        assert await ask(demand, read_signal, ORDERS, VOLUME, by=by) == seen.signals[-1]
    health = await ask(NOTHING, store.use_cases.read_health, ORDERS, by=READER)
    assert all(card in seen.signals for card in health.signals)
    not_ok = await ask(
        NOTHING, store.use_cases.list_not_ok, SignalStateEnum.CRITICAL, PageRequest(9), by=READER
    )
    assert all(card in seen.signals for card in not_ok.items)
    incidents = await ask(NOTHING, list_incidents, *listed, by=READER)
    assert all(card in seen.incidents for card in incidents.items)


async def watched(ground: Ground) -> None:
    dice, seen = Random(ground.seed), Seen([], [])
    async with ground.process() as store:
        assert ground.transport
        await store.use_cases.register_dataset(DatasetReport(ORDERS, SETTINGS), by=ADMIN)
        await store.project()
        await ground.transport.catch_up()
        for window in range(6):
            said = report(window, state=dice.choice(["OK", "WARNING", "CRITICAL"]))
            await store.use_cases.update_signal(said, by=ADMIN)
            if window == 3:
                await opened(store)
            if window == 5:
                await resolved(store)
            await store.project()
            await look(store, seen)
            await ground.transport.catch_up(dice)
        await ground.transport.catch_up()
        card = (await store.use_cases.read_signal(ORDERS, VOLUME, by=READER)).value
        assert card == seen.signals[-1]


def test_readers_see_what_is_old_but_nothing_that_never_was() -> None:
    for seed in range(scaled(1, 40)):
        play(watched, seed)
