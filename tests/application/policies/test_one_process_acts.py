"""Of several processes that share a log and its tables, one acts; the others stand by."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from attrs import define, field
from dependency_injector import providers

from adapters.leases.shared import Manners, SharedLeases
from adapters.memory.leases import MemoryLeaseBoard
from application.policies.policy import Policy
from application.policies.runner import PolicyHandler, policy_subscription
from application.projections.progress import Progress
from application.recorded import Recorded
from application.subscriptions import subscription as module
from application.subscriptions.subscription import Subscription, Subscriptions
from domain.dataset.settings_validation import DatasetReport
from domain.incident.values import IncidentStatus
from tests.application.policies.scene import another, evaluated, opened, told
from tests.application.store import ADMIN, ORDERS, SETTINGS, Store, open_store, report
from tests.support.event_loop_turns import others_go_on

PATIENCE = 30.0
AT_ONCE = Manners(lasts=3600.0, renewed=3600.0, look=0.0)
"""A holder that does not let go keeps it for ever; who looks sees at once that it is free."""


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "IDLE", 0.001)


@define
class Heeded:
    """A policy that only remembers what it was shown."""

    name: str = "remember"
    facts: list[int] = field(factory=list)

    async def begin(self) -> None: ...

    def concerns(self, recorded: Recorded) -> bool:
        return True

    async def heed(self, recorded: Recorded) -> None:
        self.facts.append(recorded.position)

    async def act(self, now: object) -> None: ...

    def due(self) -> None: ...


def runner_of(store: Store, board: MemoryLeaseBoard, me: str, policy: Policy) -> Subscription:
    subscriptions = Subscriptions(
        store.container.feed(),
        store.container.cards(),
        SharedLeases(board, me, AT_ONCE),
        store.container.policy_progress(),
    )
    handler = PolicyHandler(policy, store.container.progress(), store.clock)
    return policy_subscription(handler, subscriptions)


def beside(store: Store) -> Store:
    """Another process with the same log and the same tables."""
    other = another(store)
    other.container.bare_tables.override(providers.Object(store.container.bare_tables()))
    return other


@asynccontextmanager
async def running(runner: Subscription) -> AsyncIterator[None]:
    task = asyncio.create_task(runner.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def test_every_fact_is_heeded_by_one_and_the_other_goes_on_where_it_ended(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_store("memory", tmp_path) as store:
            other, board = beside(store), MemoryLeaseBoard()
            await store.use_cases.register_dataset(DatasetReport(ORDERS, SETTINGS), by=ADMIN)
            for one in (store, other):
                await one.project()
            here, there = Heeded(), Heeded()
            first = runner_of(store, board, "here", here)
            second = runner_of(other, board, "there", there)
            async with AsyncExitStack() as later:
                async with running(first):
                    assert await heeded(store, window=0)
                    await later.enter_async_context(running(second))
                    assert await heeded(store, window=1)
                    assert there.facts == []
                assert await heeded(store, window=2, by=other)
            assert (here.facts, there.facts) == ([2, 3, 4], [5])

    asyncio.run(story())


async def heeded(store: Store, *, window: int, by: Store | None = None) -> bool:
    """Whether a process comes to what is recorded now."""
    await store.use_cases.update_signal(report(window), by=ADMIN)
    for one in (store, by or store):
        await one.project()
    head = await store.container.feed().head()
    progress: Progress = (by or store).container.policy_progress()
    return await progress.wait("remember", head, timeout=PATIENCE)


def test_one_that_stands_by_is_silent_until_it_is_its_turn(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_store("memory", tmp_path) as store:
            await store.use_cases.register_dataset(DatasetReport(ORDERS, SETTINGS), by=ADMIN)
            await evaluated(store, 0, "CRITICAL")
            await opened(store)
            await store.react()
            board = MemoryLeaseBoard()
            holder = SharedLeases(board, "elsewhere", AT_ONCE)
            assert await holder.hold("policy/auto-resolve")
            (policy,) = [one for one in store.container.policies() if one.name == "auto-resolve"]
            standing_by = runner_of(store, board, "here", policy)
            kept = await store.container.cards().reached("policy/auto-resolve")
            async with running(standing_by):
                for window in (1, 2, 3):
                    await store.use_cases.update_signal(report(window), by=ADMIN)
                await store.project()
                head = await store.container.feed().head()
                await others_go_on(100)
                assert (await told(store)).status is not IncidentStatus.RESOLVED
                assert await store.container.feed().head() == head
                assert store.container.policy_progress().reached("auto-resolve").position == kept
                await holder.release("policy/auto-resolve")
                assert await store.container.feed().beyond(head, timeout=PATIENCE)
            assert (await told(store)).status is IncidentStatus.RESOLVED

    asyncio.run(story())
