"""
A process may be killed between any two steps: nothing is left half done.

Every step that stores something is a place to be killed at, before it and after it. They are
enumerated: a story is played again and again, killed one step later each time, until it comes to
its end. After each kill the store is opened again, whoever got no answer asks once more, and the
end must be the same as that of a story without a kill. The kill is an exception that nobody
catches; that a process which really dies loses nothing is shown by `test_kill`.
"""

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from attrs import define, evolve
from dependency_injector import providers

from adapters.eventstore.log import Append, Receipt
from application.caller import Caller, RequestKey
from application.projections.view_store import Card, Cards, Key
from application.reads.paging import PageRequest
from domain.dataset.settings_validation import DatasetReport
from domain.ids import DatasetUrn, FailureSignature, IncidentId
from domain.incident.patch import IncidentPatch, ReportedResolution, Snooze
from domain.incident.report import IncidentReport
from domain.incident.reservations import claims, faults
from domain.stream_categories import fault_stream, incident_stream, signal_stream, slot_of
from tests.application.replaced_readers import current
from tests.application.store import ADMIN, ORDERS, SETTINGS, VOLUME, Store, open_store, report

LATE = FailureSignature("LATE_DATA:processed_at")
PAYMENTS = DatasetUrn("urn:dp:payments:payment_processed:v1")
ONE, TWO = IncidentId("INC-1"), IncidentId("INC-2")
RESOLVED = IncidentPatch(status="RESOLVED", resolution=ReportedResolution("a deploy"))


class Killed(BaseException):
    """Nobody catches it, as nobody catches a kill."""


@define
class Fuse:
    """Lets so many steps happen, and kills before the next one."""

    left: int

    def step(self) -> None:
        if self.left == 0:
            raise Killed
        self.left -= 1


@define
class FusedLog:
    inner: Any
    fuse: Fuse

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def append(self, append: Append) -> Receipt:
        self.fuse.step()
        receipt: Receipt = await self.inner.append(append)
        self.fuse.step()
        return receipt


@define
class FusedCards:
    inner: Cards
    fuse: Fuse

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def file(self, projection: str, changes: dict[Key, tuple[Card, int]], upto: int) -> None:
        self.fuse.step()
        await self.inner.file(projection, changes, upto=upto)
        self.fuse.step()


@contextmanager
def fused(store: Store, fuse: Fuse) -> Iterator[None]:
    """Every storing step of the store burns the fuse down."""
    container = store.container
    log, cards = container.log(), container.cards()
    with (
        container.log.override(providers.Object(FusedLog(log, fuse))),
        container.cards.override(providers.Object(FusedCards(cards, fuse))),
    ):
        yield


# Stories: what has happened before, and what happens when the process is killed.


async def breach(store: Store) -> None:
    for dataset in (ORDERS, PAYMENTS):
        await store.use_cases.register_dataset(DatasetReport(dataset, SETTINGS), by=ADMIN)
        await store.use_cases.update_signal(report(0, state="CRITICAL", dataset=dataset), by=ADMIN)
    await store.react()


async def incidents(store: Store) -> None:
    await breach(store)
    await opening(store)
    await store.use_cases.open_incident(
        IncidentReport(PAYMENTS, (VOLUME,), (LATE,), "SEV_2", TWO), by=ADMIN
    )
    await store.react()


async def merged(store: Store) -> None:
    await incidents(store)
    await merging(store)


async def nearly_healed(store: Store) -> None:
    await merged(store)
    for window in (1, 2, 3):
        await store.use_cases.update_signal(report(window, dataset=PAYMENTS), by=ADMIN)
    for window in (1, 2):
        await store.use_cases.update_signal(report(window), by=ADMIN)
    await store.react()


async def healed(store: Store) -> None:
    await nearly_healed(store)
    await healing(store)


async def snoozed(store: Store) -> None:
    await incidents(store)
    until = store.clock.at + timedelta(hours=1)
    await store.use_cases.snooze_incident(ONE, Snooze(until), by=ADMIN)


def asking(what: str) -> Caller:
    """Who got no answer asks again with the same key."""
    return evolve(ADMIN, request=RequestKey(what, what))


async def opening(store: Store) -> None:
    said = IncidentReport(ORDERS, (VOLUME,), (LATE,), "SEV_1", ONE)
    await store.use_cases.open_incident(said, by=asking("open"))


async def resolving(store: Store) -> None:
    await store.use_cases.change_incident(ONE, RESOLVED, by=asking("resolve"))


async def merging(store: Store) -> None:
    await store.use_cases.merge_incident(TWO, ONE, None, by=asking("merge"))


async def splitting(store: Store) -> None:
    await store.use_cases.split_incident(TWO, None, by=asking("split"))


async def healing(store: Store) -> None:
    await store.use_cases.update_signal(report(3), by=asking("heal"))
    await store.react()


async def relapsing(store: Store) -> None:
    await store.use_cases.update_signal(report(4, state="CRITICAL"), by=asking("relapse"))
    await store.react()


async def waking(store: Store) -> None:
    await store.react()


Step = Callable[[Store], Awaitable[None]]

STORIES: dict[str, tuple[Step, Step, int]] = {
    "opening": (breach, opening, 0),
    "resolving": (incidents, resolving, 0),
    "merging": (incidents, merging, 0),
    "splitting": (merged, splitting, 0),
    "a policy resolving": (nearly_healed, healing, 0),
    "a policy reopening": (healed, relapsing, 1),
    "a policy waking": (snoozed, waking, 2),
}
"""What was before, what happens, and how many hours later."""


@pytest.mark.parametrize("story", STORIES)
def test_a_kill_between_any_two_steps_leaves_nothing_half_done(story: str, tmp_path: Path) -> None:
    asyncio.run(prepared(story, tmp_path / "before"))
    ends = []
    for place in count():
        folder = shutil.copytree(tmp_path / "before", tmp_path / str(place))
        was_killed = asyncio.run(played(story, folder, Fuse(place)))
        ends.append(asyncio.run(ended(story, folder)))
        if not was_killed:
            break
    assert len(ends) > 2
    for place, end in enumerate(ends):
        assert end == ends[-1], f"killed at {place}"


async def prepared(story: str, folder: Path) -> None:
    before, _, _ = STORIES[story]
    async with open_store("embedded", folder) as store:
        await before(store)


async def played(story: str, folder: Path, fuse: Fuse) -> bool:
    """Whether the fuse burnt down."""
    _, happening, hours = STORIES[story]
    async with open_store("embedded", folder) as store:
        store.clock.at += timedelta(hours=hours)
        with fused(store, fuse):
            try:
                await happening(store)
            except Killed:
                return True
    return False


async def ended(story: str, folder: Path) -> Any:
    """How it all ends when it is asked for once more; slots and links must be true."""
    _, happening, hours = STORIES[story]
    async with open_store("embedded", folder) as store:
        store.clock.at += timedelta(hours=hours)
        await true(store)
        await happening(store)
        await store.react()
        await true(store)
        return [await picture(store, name) for name in (ONE, TWO)]


async def picture(store: Store, name: IncidentId) -> Any:
    """An incident and its timeline; the moments differ, they are left out."""
    if not await store.container.streams().version(incident_stream(name)):
        return None
    state = await store.container.streams().state(incident_stream(name))
    timeline = (await store.use_cases.read_timeline(name, PageRequest(100), by=ADMIN)).value
    shown = await (await current(store.container.reads())).incidents.find(name)
    assert shown is not None
    assert shown.status is state.status
    return state, [(type(one.fact), one.by) for one in timeline.items]


async def true(store: Store) -> None:
    """No slot is held by nobody, no link leads to what is not open, nothing open lacks them."""
    names = (ONE, TWO)
    open_ones = {}
    for name in names:
        state = await store.container.streams().state(incident_stream(name))
        if state.is_open:
            open_ones[name] = state
    held = {slot_of(fault): name for name, one in open_ones.items() for fault in faults(one)}
    for dataset in (ORDERS, PAYMENTS):
        slot = fault_stream(dataset, LATE)
        assert (await store.container.streams().state(slot)).holder == held.get(slot)
        stream = signal_stream(dataset, VOLUME)
        signal = await store.container.streams().state(stream)
        about = {name for name, one in open_ones.items() if stream in claims(one)}
        assert set(signal.incidents) == about
