"""Evidence is read from wherever it is, and nothing is said to be missing that may be there."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest
from attrs import define, evolve, field

from adapters.memory.evidence_archive import MemoryEvidenceArchive
from adapters.memory.evidence_cache import MemoryEvidenceCache
from application.caller import Caller
from application.errors import Damaged, Forbidden, Unavailable
from application.evidence import ListEvidence, PutEvidence, ReadEvidence
from application.evidence.archive import EvidenceAsked
from application.evidence.cache_filler import CacheFiller
from application.evidence.outcomes import Fate, Rejected
from application.evidence.queries import USUAL_SPAN
from application.evidence.sampling import Sieve
from application.evidence.writer import EvidenceKeeper
from application.reads.paging import PageRequest
from domain.errors import Violation
from domain.ids import DatasetUrn, EvidenceId
from tests.application.evidence.samples import (
    DATASETS,
    Broken,
    Putting,
    some_id,
    some_report,
    telling,
)
from tests.application.evidence.test_cache_rebuild import DamagedFor
from tests.application.evidence.test_crashes import Anyone
from tests.application.store import ADMIN, StandingClock

DAY = timedelta(hours=24)
DATASET = DatasetUrn(DATASETS[0])
FAILED = [0, 50, 100]
IDS = [some_id(number) for number in FAILED]


@define
class Scene:
    clock: StandingClock = field(factory=StandingClock)
    archive: Broken = field(factory=lambda: Broken(MemoryEvidenceArchive()))
    cache: Broken = field(init=False)
    filler: CacheFiller = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.cache = Broken(MemoryEvidenceCache(self.clock, telling, DAY))
        self.filler = CacheFiller(self.archive, self.cache)

    async def filled(self) -> "Scene":
        self.filler.recovered()
        self.filler.trust(True)
        await self.filler.mark()
        await self.put([some_report(number) for number in FAILED], by=ADMIN)
        return self

    @property
    def put(self) -> Putting:
        keeper = EvidenceKeeper(self.archive, self.filler, 1_000, gathered_for=0)
        return Putting(PutEvidence(keeper, Anyone(), self.clock), Sieve(0.0))

    @property
    def reading(self) -> ReadEvidence:
        return ReadEvidence(self.archive, self.cache, Anyone(), self.clock, telling, DAY)

    async def read(self) -> dict[EvidenceId, bool]:
        """Which are archived. Those who are told it as bytes are told the same."""
        shown = await self.reading(IDS, by=ADMIN)
        assert await self.reading.told(IDS, by=ADMIN) == {
            name: telling(one.evidence, archived=one.archived) for name, one in shown.items()
        }
        return {name: one.archived for name, one in shown.items()}

    async def listed(self, hours: int) -> list[tuple[EvidenceId, bool]]:
        page = await self.listing(self.asked(hours), PageRequest(10), by=ADMIN)
        return [(one.evidence.evidence_id, one.archived) for one in page.items]

    @property
    def listing(self) -> ListEvidence:
        return ListEvidence(self.archive, self.cache, self.filler, Anyone(), self.clock, DAY)

    def asked(self, hours: int) -> EvidenceAsked:
        now = self.clock.now()
        return EvidenceAsked(DATASET, now - timedelta(hours=hours), now + timedelta(hours=1))


def play(story: Any) -> None:
    async def scene() -> None:
        await story(await Scene().filled())

    asyncio.run(scene())


def test_what_is_at_hand_is_read_from_the_cache_and_the_rest_from_the_archive() -> None:
    async def story(scene: Scene) -> None:
        assert await scene.read() == dict.fromkeys(IDS, False)
        scene.clock.at += DAY
        assert await scene.read() == dict.fromkeys(IDS, True)

    play(story)


def test_each_is_read_from_where_it_is() -> None:
    async def story(scene: Scene) -> None:
        scene.clock.at += DAY
        fresh = some_report(150, created_at=scene.clock.at)
        await scene.put([fresh], by=ADMIN)
        wanted = [IDS[0], some_id(150), some_id(7)]
        shown = await scene.reading(wanted, by=ADMIN)
        assert {name: one.archived for name, one in shown.items()} == {
            IDS[0]: True,
            some_id(150): False,
        }
        assert await scene.reading.told(wanted, by=ADMIN) == {
            name: telling(one.evidence, archived=one.archived) for name, one in shown.items()
        }

    play(story)


def test_without_a_cache_the_archive_answers() -> None:
    async def story(scene: Scene) -> None:
        scene.cache.methods = {"named", "told", "of_dataset"}
        assert await scene.read() == dict.fromkeys(IDS, False)
        assert [name for name, _ in await scene.listed(1)] == IDS[::-1]

    play(story)


def test_without_an_archive_what_is_at_hand_is_read() -> None:
    async def story(scene: Scene) -> None:
        scene.archive.methods = {"named", "of_dataset"}
        assert await scene.read() == dict.fromkeys(IDS, False)
        assert await scene.listed(22) == [(name, False) for name in IDS[::-1]]

    play(story)


def test_nothing_is_said_to_be_missing_that_may_be_in_a_damaged_archive() -> None:
    async def story(scene: Scene) -> None:
        scene.archive.methods = {"named", "of_dataset"}
        scene.archive.error = Damaged("segment 7", "its checksum differs")
        other, reading = some_id(7), scene.reading
        for asked in (reading, reading.told):
            with pytest.raises(Damaged):
                await asked([*IDS, other], by=ADMIN)
        read = await reading.as_far_as_possible([*IDS, other], by=ADMIN)
        assert [*read.shown] == IDS
        assert (read.unread, str(read.error)) == (
            [other],
            "segment 7 is damaged: its checksum differs",
        )
        with pytest.raises(Damaged):
            await scene.listed(24)
        listed = await scene.listing.as_far_as_possible(scene.asked(24), PageRequest(), by=ADMIN)
        assert [one.evidence.evidence_id for one in listed.page.items] == IDS[::-1]
        assert listed.reason == "segment 7 is damaged: its checksum differs"

    play(story)


def test_where_the_cache_is_damaged_the_archive_answers() -> None:
    async def story(scene: Scene) -> None:
        reading = evolve(scene.reading, cache=DamagedFor(scene.cache, IDS[0]))
        assert [*(await reading(IDS, by=ADMIN))] == IDS
        assert [*(await reading.as_far_as_possible(IDS, by=ADMIN)).shown] == IDS
        scene.archive.methods = {"named"}
        read = await reading.as_far_as_possible(IDS, by=ADMIN)
        assert (dict(read.shown), read.unread) == ({}, IDS)

    play(story)


def test_one_that_is_damaged_in_the_archive_hides_no_other() -> None:
    async def story(scene: Scene) -> None:
        await scene.cache.clear()
        reading = evolve(scene.reading, archive=DamagedFor(scene.archive, IDS[0]))
        read = await reading.as_far_as_possible(IDS, by=ADMIN)
        assert ([*read.shown], read.unread) == (IDS[1:], IDS[:1])

    play(story)


def test_a_span_is_read_from_the_cache_only_if_nothing_in_it_can_have_ended() -> None:
    """A clock that was an hour ahead made evidence that ends an hour before its day is over."""

    async def story(scene: Scene) -> None:
        ahead = some_report(150, created_at=scene.clock.at + timedelta(hours=1))
        await scene.put([ahead], by=ADMIN)
        scene.clock.at += DAY
        assert await scene.cache.named([some_id(150)]) == {}
        # Created 23 hours ago by its own account.
        assert await scene.listed(23) == [(some_id(150), True)]
        assert await scene.listed(24) == [(some_id(n), True) for n in (150, 100, 50, 0)]

    play(story)


def test_the_usual_span_is_at_hand_even_if_it_takes_a_while_to_ask() -> None:
    async def story(scene: Scene) -> None:
        scene.archive.methods = {"named", "of_dataset"}
        now = scene.clock.now()
        usual = EvidenceAsked(DATASET, now - USUAL_SPAN, now + timedelta(hours=1))
        scene.clock.at += timedelta(minutes=30)
        page = await scene.listing(usual, PageRequest(10), by=ADMIN)
        assert [one.evidence.evidence_id for one in page.items] == IDS[::-1]

    play(story)


def test_lists_are_right_while_the_cache_lacks_something() -> None:
    async def story(scene: Scene) -> None:
        scene.cache.methods = {"put"}
        await scene.put([some_report(150)], by=ADMIN)
        assert [name for name, _ in await scene.listed(1)] == [some_id(150), *IDS[::-1]]

    play(story)


def test_every_report_has_its_own_outcome() -> None:
    async def story(scene: Scene) -> None:
        unreadable = (Violation("created_at", "MALFORMED", "is not a moment"),)
        sent = [
            some_report(200),
            some_report(201, unreadable=unreadable),
            some_report(202, dataset_urn=""),
            some_report(3),
        ]
        first, unread, wrong, passed = await scene.put(sent, by=ADMIN)
        assert (first, passed) == (Fate.KEPT, Fate.SAMPLED_OUT)
        assert isinstance(unread, Rejected)
        assert isinstance(wrong, Rejected)
        assert [one.field for one in unread.violations] == ["created_at"]
        assert [one.field for one in wrong.violations] == ["dataset_urn"]

    play(story)


def test_evidence_that_cannot_be_kept_is_not_accepted() -> None:
    async def story(scene: Scene) -> None:
        scene.archive.methods = {"keep"}
        with pytest.raises(Unavailable):
            await scene.put([some_report(250)], by=ADMIN)

    play(story)


class Nobody:
    async def permit(self, by: Caller, action: str, on: str) -> None:
        raise Forbidden("nobody", action, on)


@pytest.mark.parametrize("way", ["reading", "told", "as far as possible", "listing"])
def test_whoever_may_not_read_is_shown_nothing(way: str) -> None:
    async def scene() -> None:
        one = await Scene().filled()
        reading, listing = (
            evolve(one.reading, access=Nobody()),
            evolve(one.listing, access=Nobody()),
        )
        asked: dict[str, Callable[[], Awaitable[object]]] = {
            "reading": lambda: reading(IDS, by=ADMIN),
            "told": lambda: reading.told(IDS, by=ADMIN),
            "as far as possible": lambda: reading.as_far_as_possible(IDS, by=ADMIN),
            "listing": lambda: listing(one.asked(1), PageRequest(10), by=ADMIN),
        }
        with pytest.raises(Forbidden, match="evidence:read"):
            await asked[way]()

    asyncio.run(scene())
