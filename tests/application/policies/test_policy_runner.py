"""How far a policy came, and what it says when it cannot go on."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from attrs import define

from adapters.eventstore.log import Append, Log, Receipt
from application.errors import OutcomeUnknown, Unavailable
from application.subscriptions.subscription import Subscription
from domain.dataset.settings_validation import DatasetReport
from domain.incident.values import IncidentStatus
from tests.application.policies.scene import (
    Play,
    evaluated,
    opened,
    told,
)
from tests.application.store import (
    ADMIN,
    ORDERS,
    SETTINGS,
    Store,
    open_store,
    report,
)


def auto_resolve(store: Store) -> Subscription:
    found: Subscription
    (found,) = [one for one in store.container.policy_runners() if one.name == "auto-resolve"]
    return found


def test_how_far_a_policy_came_is_kept(play: Play) -> None:
    async def story(store: Store) -> None:
        await store.react()
        head = await store.container.feed().head()
        for runner in store.container.policy_runners():
            assert await store.container.cards().reached(f"policy/{runner.name}") == head
            assert store.container.policy_progress().reached(runner.name).position == head

    play(story)


def test_how_far_a_policy_came_is_not_kept_after_every_fact(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_store("memory", tmp_path) as store:
            await store.use_cases.register_dataset(DatasetReport(ORDERS, SETTINGS), by=ADMIN)
            await store.project()
            runner = auto_resolve(store)
            following = asyncio.create_task(runner.run())
            head = 0
            for window in range(20):
                await store.use_cases.update_signal(report(window), by=ADMIN)
                head = await store.container.feed().head()
                assert await store.container.policy_progress().wait(runner.name, head, timeout=30)
            assert await store.container.cards().reached("policy/auto-resolve") < head
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
            assert await store.container.cards().reached("policy/auto-resolve") == head

    asyncio.run(story())


def test_the_trouble_of_one_policy_is_told_while_the_others_go_on(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_store("memory", tmp_path) as store:
            one, other, *_ = store.container.policy_runners()
            one.progress.stuck(one.name, "the disk is full")
            following = asyncio.create_task(other.run())
            await store.use_cases.register_dataset(DatasetReport(ORDERS, SETTINGS), by=ADMIN)
            head = await store.container.feed().head()
            assert await store.container.policy_progress().wait(other.name, head, timeout=30)
            assert store.container.policy_progress().trouble == f"{one.name}: the disk is full"
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)

    asyncio.run(story())


@pytest.mark.parametrize("failure", [Unavailable, OutcomeUnknown])
def test_a_policy_that_cannot_append_tries_again_and_tells(
    tmp_path: Path, failure: type[Unavailable | OutcomeUnknown]
) -> None:
    async def story() -> None:
        async with open_store("memory", tmp_path) as store:
            await store.use_cases.register_dataset(DatasetReport(ORDERS, SETTINGS), by=ADMIN)
            await evaluated(store, 0, "CRITICAL")
            await opened(store)
            await store.react()
            runner = auto_resolve(store)
            told_of: list[str] = []
            failed = asyncio.Event()

            def trouble(error: Exception) -> None:
                told_of.append(str(error))
                failed.set()

            runner.on_trouble = trouble
            for window in (1, 2, 3):
                await store.use_cases.update_signal(report(window), by=ADMIN)
            inner, store.container.logged_streams().log = (
                store.container.logged_streams().log,
                FullLog(store.container.log(), failure),
            )
            following = asyncio.create_task(runner.run())
            await asyncio.wait_for(failed.wait(), 30)
            assert "is full" in str(store.container.policy_progress().trouble)
            store.container.logged_streams().log = inner
            assert await store.container.feed().beyond(
                await store.container.feed().head(), timeout=30
            )
            assert (await told(store)).status is IncidentStatus.RESOLVED
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
            assert set(told_of) == {str(failure("the log", "the disk is full"))}

    asyncio.run(story())


@define
class FullLog:
    """A log that can be read only."""

    inner: Log
    failure: type[Unavailable | OutcomeUnknown]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def append(self, append: Append) -> Receipt:
        raise self.failure("the log", "the disk is full")
