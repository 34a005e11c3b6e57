"""
A process that keeps evidence may be killed between any two steps.

Every step that stores something is a place to be killed at, before it and after it; they are
enumerated as in `tests.application.maintenance.test_crashes`. After each kill another process goes
on: the
archive has all that was accepted and nothing that was never sent, the cache shows the same, nothing
is there twice, and whoever got no answer sends again.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

from adapters.blobs.directory import DirectoryBlobs
from adapters.memory.evidence_archive import MemoryEvidenceArchive
from adapters.memory.evidence_cache import MemoryEvidenceCache
from adapters.memory.leases import OwnLeases
from adapters.sqlite.evidence.cache import SqliteEvidenceCache
from adapters.sqlite.evidence.file import EvidenceFile
from application.caller import Caller
from application.errors import Unavailable
from application.evidence import Fate, PutEvidence
from application.evidence.archive import EvidenceArchive, EvidenceAsked
from application.evidence.cache import EvidenceCache
from application.evidence.cache_filler import MARK, CacheFiller
from application.evidence.cache_rebuild import RefillCache, RenewCache
from application.evidence.maintenance import LEASE, EvidenceUpkeep
from application.evidence.progress import UNTOLD
from application.evidence.sampling import Sieve
from application.evidence.writer import EvidenceKeeper
from application.reads.paging import PageRequest
from application.subscriptions.lease import Lease
from domain.evidence.evidence import is_kept
from domain.evidence.report import EvidenceReport
from domain.ids import DatasetUrn, EvidenceId
from tests.adapters.evidence_archive.archives import fresh_ulid, over
from tests.application.evidence.samples import DATASETS, Putting, some_report, telling
from tests.application.maintenance.test_crashes import Fuse, Killed
from tests.application.store import ADMIN, NOON, StandingClock
from tests.support.scale import scaled

ITEMS = scaled(20_000, 200_000)
CALLS, WAVES = 40, 2
RATE = 0.01
STORING = {"keep", "put", "compact", "clear", "sweep", "pin", "unpin"}

Stores = tuple[EvidenceArchive, EvidenceCache]
Opening = Callable[[], AbstractAsyncContextManager[Stores]]


@define
class Fused:
    """Every call that stores something burns the fuse down, before it and after it."""

    inner: Any
    fuse: Fuse

    def __getattr__(self, name: str) -> Any:
        whole = getattr(self.inner, name)
        if name not in STORING:
            return whole

        async def fused(*args: Any, **more: Any) -> Any:
            self.fuse.step()
            result = await whole(*args, **more)
            self.fuse.step()
            return result

        return fused


@define
class NoPins:
    async def all(self) -> dict[Any, Any]:
        return {}

    async def of(self, name: object) -> frozenset[Any]:
        return frozenset()


class Anyone:
    async def permit(self, by: Caller, action: str, on: str) -> None: ...


@define
class Process:
    """What keeps evidence, from its start to its end; what it knows ends with it."""

    archive: Any
    cache: Any
    clock: StandingClock = field(factory=StandingClock)
    filler: CacheFiller = field(init=False)
    upkeep: EvidenceUpkeep = field(init=False)
    put: Putting = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.filler = CacheFiller(self.archive, self.cache)
        keeper = EvidenceKeeper(self.archive, self.filler, ITEMS, gathered_for=0)
        self.put = Putting(PutEvidence(keeper, Anyone(), self.clock), Sieve(RATE))
        pins: Any = NoPins()
        refill = RefillCache(
            self.archive, self.cache, self.filler, pins, self.clock, timedelta(hours=24)
        )
        self.upkeep = EvidenceUpkeep(
            self.archive,
            self.cache,
            self.filler,
            Lease(OwnLeases(), LEASE),
            refill=lambda: refill(UNTOLD),
            renew=lambda: RenewCache(refill, self.filler, self.cache)(UNTOLD),
        )


@cache
def all_reports() -> Sequence[EvidenceReport]:
    return [some_report(number) for number in range(ITEMS)]


def wanted(reports: Sequence[EvidenceReport]) -> set[EvidenceId]:
    """What must be kept of them."""
    sent = [(one.evidence_id or "", one.result or "") for one in reports]
    return {EvidenceId(name) for name, result in sent if is_kept(name, result, RATE)}


def calls_of(reports: Sequence[EvidenceReport]) -> list[Sequence[EvidenceReport]]:
    size = -(-len(reports) // CALLS)
    return [reports[start : start + size] for start in range(0, len(reports), size)]


@define
class Senders:
    """Send everything, each call until it is answered, and remember what was accepted."""

    reports: Sequence[EvidenceReport]
    unanswered: list[Sequence[EvidenceReport]] = field(init=False)
    accepted: set[EvidenceId] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        self.unanswered = calls_of(self.reports)

    async def send(self, process: Process) -> None:
        while self.unanswered:
            wave = self.unanswered[: CALLS // WAVES]
            done = await asyncio.gather(*(self._call(process, call) for call in wave))
            if not all(done):
                raise Killed
            await process.upkeep.compact()

    async def _call(self, process: Process, call: Sequence[EvidenceReport]) -> bool:
        try:
            outcomes = await process.put(call, by=ADMIN)
        except (Killed, Unavailable):
            return False
        kept = zip(call, outcomes, strict=True)
        self.accepted |= {
            EvidenceId(one.evidence_id or "") for one, fate in kept if fate is Fate.KEPT
        }
        self.unanswered.remove(call)
        return True


async def everything(stores: EvidenceArchive | EvidenceCache) -> Counter[EvidenceId]:
    """All that is listed, and how often."""
    found: Counter[EvidenceId] = Counter()
    for dataset in DATASETS:
        asked = EvidenceAsked(DatasetUrn(dataset), NOON, NOON + timedelta(days=2))
        after: Any = None
        while True:
            page = await stores.of_dataset(asked, PageRequest(500, after))
            found.update(one.evidence_id for one in page.items)
            if page.next is None:
                break
            after = page.next
    return found


async def lived(opening: Opening, senders: Senders, fuse: Fuse) -> bool:
    """Whether the fuse burnt down."""
    async with opening() as (archive, cache):
        process = Process(Fused(archive, fuse), Fused(cache, fuse))
        try:
            await process.upkeep.look()
            await senders.send(process)
        except Killed:
            return True
    return False


async def went_on(opening: Opening, senders: Senders) -> None:
    async with opening() as (archive, cache):
        stored = await everything(archive)
        all_of_it = wanted(senders.reports)
        assert senders.accepted <= stored.keys() <= all_of_it
        process = Process(archive, cache)
        await process.upkeep.recover()
        assert process.filler.is_whole
        assert await everything(cache) == await everything(archive) == stored
        await senders.send(process)
        await process.upkeep.compact()
        once = Counter(all_of_it)
        assert await everything(archive) == once
        assert await everything(cache) == once
        assert senders.accepted == all_of_it
        assert not await archive.batches()
        assert not (await archive.inspect()).faults


def in_memory(folder: Path) -> Opening:
    stores = (MemoryEvidenceArchive(), MemoryEvidenceCache(StandingClock(), telling))

    @asynccontextmanager
    async def opening() -> AsyncIterator[Stores]:
        yield stores

    return opening


def in_a_folder(folder: Path) -> Opening:
    """What was cached of the files' contents ends with each process, too."""

    @asynccontextmanager
    async def opening() -> AsyncIterator[Stores]:
        archive = over(DirectoryBlobs(folder / "archive"), process=fresh_ulid())
        cache = SqliteEvidenceCache(EvidenceFile(folder / "cache.db"), StandingClock(), telling)
        try:
            yield archive, cache
        finally:
            cache.close()

    return opening


ALL = slice(None)
FEW = slice(0, scaled(4_000, ITEMS), scaled(5, 1))
"""Of one dataset, unless there is time: a disk takes its own."""


@pytest.mark.parametrize(("stores", "which"), [(in_memory, ALL), (in_a_folder, FEW)])
def test_a_kill_between_any_two_steps_loses_nothing_and_doubles_nothing(
    stores: Callable[[Path], Opening], which: slice, tmp_path: Path
) -> None:
    reports = all_reports()[which]
    for place in count():
        folder = tmp_path / str(place)
        folder.mkdir()
        opening, senders = stores(folder), Senders(reports)
        was_killed = asyncio.run(lived(opening, senders, Fuse(place)))
        asyncio.run(went_on(opening, senders))
        if not was_killed:
            break
    assert place > 6 * WAVES


def test_a_kill_while_the_cache_is_filled_anew_is_found_at_the_next_start() -> None:
    """Whatever was missing is there once the next process has looked."""

    async def scene(place: int) -> bool:
        archive, cache = MemoryEvidenceArchive(), MemoryEvidenceCache(StandingClock(), telling)
        process = Process(archive, cache)
        await process.upkeep.look()
        await process.put([one for one in all_reports()[:5_000] if one.result == "FAIL"], by=ADMIN)
        await process.upkeep.compact()
        fused = Process(archive, Fused(cache, Fuse(place)))
        killed = False
        try:
            await fused.filler.empty()
            await fused.upkeep.recover()
        except Killed:
            killed = True
        after = Process(archive, cache)
        await after.upkeep.recover()
        assert after.filler.is_whole
        assert await everything(cache) == await everything(archive)
        assert len(await everything(cache)) == 100
        assert await cache.named([MARK.evidence_id])
        return killed

    for place in count():
        if not asyncio.run(scene(place)):
            break
    assert place >= 6
