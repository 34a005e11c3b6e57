"""
A process that keeps evidence may be killed between any two steps.

Every step that stores something is a place to be killed at, before it and after it; they are
enumerated as in `tests.application.test_crashes`. After each kill another process goes on: the
archive has all that was accepted and nothing that was never sent, the cache shows the same, nothing
is there twice, and whoever got no answer sends again.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

from adapters.memory.evidence_archive import MemoryEvidenceArchive
from adapters.memory.evidence_cache import MemoryEvidenceCache
from adapters.memory.leases import OwnLeases
from application.caller import Caller
from application.errors import Unavailable
from application.evidence import Fate, PutEvidence
from application.evidence.alone import Alone
from application.evidence.filling import MARK, CacheFiller
from application.evidence.keeper import EvidenceKeeper
from application.evidence.rebuilding import RefillCache
from application.evidence.upkeep import EvidenceUpkeep
from application.evidence.work_parts import UNTOLD
from application.paging import PageRequest
from application.ports.evidence_archive import EvidenceArchive, EvidenceAsked
from application.ports.evidence_cache import EvidenceCache
from domain.evidence import is_kept
from domain.evidence_contract import EvidenceReport
from domain.ids import DatasetUrn, EvidenceId
from tests.application.evidence.some import DATASETS, some_report
from tests.application.store import ADMIN, NOON, StandingClock
from tests.application.test_crashes import Fuse, Killed
from tests.scale import scaled

ITEMS = scaled(20_000, 200_000)
CALL, WAVES = 500, 3
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
    put: PutEvidence = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.filler = CacheFiller(self.archive, self.cache)
        keeper = EvidenceKeeper(self.archive, self.filler, ITEMS, gathered_for=0)
        self.put = PutEvidence(keeper, Anyone(), self.clock, RATE)
        pins: Any = NoPins()
        refill = RefillCache(
            self.archive, self.cache, self.filler, pins, self.clock, timedelta(hours=24)
        )
        self.upkeep = EvidenceUpkeep(
            self.archive,
            self.cache,
            self.filler,
            Alone(OwnLeases()),
            refill=lambda: refill(UNTOLD),
        )


REPORTS = [some_report(number) for number in range(ITEMS)]
WANTED = {
    EvidenceId(one.evidence_id or "")
    for one in REPORTS
    if is_kept(one.evidence_id or "", one.result or "", RATE)
}


def calls_of(reports: Sequence[EvidenceReport]) -> list[Sequence[EvidenceReport]]:
    return [reports[start : start + CALL] for start in range(0, len(reports), CALL)]


@define
class Senders:
    """Send everything, each call until it is answered, and remember what was accepted."""

    unanswered: list[Sequence[EvidenceReport]] = field(factory=lambda: calls_of(REPORTS))
    accepted: set[EvidenceId] = field(factory=set)

    async def send(self, process: Process) -> None:
        while self.unanswered:
            wave = self.unanswered[: -(-len(REPORTS) // CALL // WAVES)]
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
        assert senders.accepted <= stored.keys() <= WANTED
        process = Process(archive, cache)
        await process.upkeep.recover()
        assert process.filler.is_whole
        assert await everything(cache) == await everything(archive) == stored
        await senders.send(process)
        await process.upkeep.compact()
        once = Counter(WANTED)
        assert await everything(archive) == once
        assert await everything(cache) == once
        assert senders.accepted == WANTED
        assert not await archive.batches()


@pytest.fixture(params=["memory"])
def kinds(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[int], Opening]:
    """For each place to be killed at a new store, which is opened as often as is wanted."""

    def kind(place: int) -> Opening:
        stores = (MemoryEvidenceArchive(), MemoryEvidenceCache(StandingClock()))

        @asynccontextmanager
        async def opening() -> AsyncIterator[Stores]:
            yield stores

        return opening

    return kind


def test_a_kill_between_any_two_steps_loses_nothing_and_doubles_nothing(
    kinds: Callable[[int], Opening],
) -> None:
    for place in count():
        opening, senders = kinds(place), Senders()
        was_killed = asyncio.run(lived(opening, senders, Fuse(place)))
        asyncio.run(went_on(opening, senders))
        if not was_killed:
            break
    assert place > 4 * WAVES


def test_a_kill_while_the_cache_is_filled_anew_is_found_at_the_next_start() -> None:
    """Whatever was missing is there once the next process has looked."""

    async def scene(place: int) -> bool:
        archive, cache = MemoryEvidenceArchive(), MemoryEvidenceCache(StandingClock())
        process = Process(archive, cache)
        await process.upkeep.look()
        await process.put([one for one in REPORTS[:5_000] if one.result == "FAIL"], by=ADMIN)
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
