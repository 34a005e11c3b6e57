"""Restarts, rebuilds and several processes: nothing happens twice."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

from application.projections.progress import Progress
from application.reads.paging import PageRequest
from domain.dataset.settings_validation import DatasetReport
from domain.incident import incident
from domain.incident.patch import IncidentPatch, ReportedResolution
from domain.incident.values import IncidentStatus
from tests.application.policies.scene import (
    ONE,
    Play,
    another,
    evaluated,
    opened,
    resolved,
    snoozed,
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


def test_a_start_in_between_changes_nothing(tmp_path: Path) -> None:
    """What is watched is found again: signals of open incidents, and snoozes."""

    async def before() -> None:
        async with open_store("embedded", tmp_path) as store:
            await store.use_cases.register_dataset(DatasetReport(ORDERS, SETTINGS), by=ADMIN)
            await evaluated(store, 0, "CRITICAL")
            await opened(store)
            await snoozed(store, 2)
            for window in (1, 2):
                await evaluated(store, window)

    async def after() -> None:
        async with open_store("embedded", tmp_path) as store:
            store.clock.at += timedelta(hours=3)
            await store.react()
            assert (await told(store)).snoozed_until is None
            await evaluated(store, 3)
            assert (await told(store)).status is IncidentStatus.RESOLVED

    asyncio.run(before())
    asyncio.run(after())


async def eventful(store: Store) -> None:
    """Everything that policies do, and people who disagree with it."""
    await snoozed(store, 2)
    store.clock.at += timedelta(hours=3)
    for window in (1, 2, 3):
        await evaluated(store, window)
    await evaluated(store, 4, "CRITICAL")
    await evaluated(store, 5)
    await resolved(store)
    await evaluated(store, 6, "CRITICAL")
    await resolved(store)


def test_policies_that_look_at_everything_twice_do_nothing_twice(play: Play) -> None:
    async def story(store: Store) -> None:
        await eventful(store)
        head = await store.container.feed().head()
        other = another(store)
        await other.project()
        for runner in other.container.policy_runners():
            handler: Any = runner.followers[0].handler
            handler.boards = at_the_beginning()
            await runner.catch_up()
        assert await store.container.feed().head() == head

    play(story)


def at_the_beginning() -> Progress:
    """Progress by which a policy that is new to the log begins with its first fact."""
    return Progress()


def test_policies_are_silent_while_read_models_are_rebuilt(play: Play) -> None:
    """They follow beside the projections, which fold everything from nothing."""

    async def story(store: Store) -> None:
        await eventful(store)
        head = await store.container.feed().head()
        other = another(store)
        await other.container.runner().resume()
        following = [
            asyncio.create_task(run())
            for run in (
                other.container.runner().run,
                *(one.run for one in other.container.policy_runners()),
            )
        ]
        assert await other.container.progress().wait("incident-index", head, timeout=30)
        for policy in other.container.policy_runners():
            assert await other.container.policy_progress().wait(policy.name, head, timeout=30)
        for task in following:
            task.cancel()
        await asyncio.gather(*following, return_exceptions=True)
        assert await store.container.feed().head() == head

    play(story)


def test_two_processes_with_the_same_policies_act_once(play: Play) -> None:
    async def story(store: Store) -> None:
        others = [another(store), another(store)]
        for other in others:
            await other.react()
        for window in (1, 2, 3):
            await store.use_cases.update_signal(report(window), by=ADMIN)
        runners = [runner for one in (store, *others) for runner in one.container.policy_runners()]
        await asyncio.gather(*(runner.catch_up() for runner in runners))
        page = (await store.use_cases.read_timeline(ONE, PageRequest(100), by=ADMIN)).value
        assert [type(one.fact) for one in page.items] == [incident.Opened, incident.Resolved]

    play(story)


def test_a_policy_that_is_new_to_a_log_lets_the_past_be(play: Play) -> None:
    """What relapsed before it came is not reopened now."""

    async def story(store: Store) -> None:
        await evaluated(store, 1)
        store.clock.at += timedelta(minutes=1)
        said = ReportedResolution("a deploy", reason="FIXED")
        patch = IncidentPatch(status="RESOLVED", resolution=said)
        await store.use_cases.change_incident(ONE, patch, by=ADMIN)
        store.clock.at += timedelta(minutes=1)
        await store.use_cases.update_signal(report(2, state="CRITICAL"), by=ADMIN)
        other = another(store)
        await other.react()
        assert (await told(store)).status is IncidentStatus.RESOLVED

    play(story)
