"""Reading evidence: from the cache while it is at hand, then from the archive (S0-110, S0-194)."""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from datetime import datetime, timedelta

from attrs import field, frozen

from application.caller import Caller
from application.errors import NotReadable, Unavailable
from application.evidence.archive import ArchiveReads, EvidenceAsked
from application.evidence.cache import CacheReads, Telling
from application.evidence.cache_filler import CacheFiller
from application.evidence.damage_apart import damage_apart
from application.ports.access import Access
from application.ports.clock import Clock
from application.reads.paging import Page, PageRequest
from domain.evidence.evidence import Evidence
from domain.ids import EvidenceId
from domain.retention import KEPT_FOR
from domain.timestamps import stamp
from domain.validation import AHEAD

MARGIN = AHEAD + timedelta(minutes=1)
"""What was created so long before the oldest that is at hand may have ended: other clocks may have
been an hour ahead, our own ones differ a little."""

USUAL_SPAN = KEPT_FOR.evidence - AHEAD - timedelta(hours=1)
"""How far back a list reaches if nobody says: so far that all of it is at hand."""


@frozen
class Shown:
    evidence: Evidence
    archived: bool = False
    """Whether it has ended, and was read from the archive."""

    @classmethod
    def from_archive(cls, evidence: Evidence, *, ended_by: datetime) -> "Shown":
        """What has not ended may be missing in the cache for a moment."""
        return cls(evidence, archived=evidence.recorded_at <= ended_by)


@frozen
class Readable:
    """What could be read, and what could not."""

    shown: Mapping[EvidenceId, Shown]
    unread: Collection[EvidenceId] = ()
    """They may be there or not."""
    error: Unavailable | NotReadable | None = field(default=None, eq=False)
    """Why."""


@frozen
class ReadablePage:
    page: Page[Shown]
    reason: str | None = None
    """Why there may be more than what is shown."""


@frozen
class ReadEvidence:
    archive: ArchiveReads
    cache: CacheReads
    access: Access
    clock: Clock
    telling: Telling
    kept_for: timedelta

    async def __call__(
        self, ids: Collection[EvidenceId], *, by: Caller
    ) -> Mapping[EvidenceId, Shown]:
        """What there is under the ids: what is not in the answer does not exist.

        Raises:
            Unavailable: That cannot be said of all of them; `as_far_as_possible` asks for the rest.
        """
        await self.access.permit(by, "evidence:read", "evidence")
        hot = await self._at_hand(ids)
        return hot | await self._archived(ids, hot)

    async def told(self, ids: Collection[EvidenceId], *, by: Caller) -> Mapping[EvidenceId, bytes]:
        """The same as the bytes that most readers want, which the cache may have ready.

        Raises:
            Unavailable: It cannot be said of all of them whether they exist.
        """
        await self.access.permit(by, "evidence:read", "evidence")
        hot: Mapping[EvidenceId, bytes] = {}
        # If the cache does not answer, the archive has it all.
        with suppress(Unavailable):
            hot = await self.cache.told(ids)
        cold = await self._archived(ids, hot)
        return {**hot, **{name: self._telling_of(shown) for name, shown in cold.items()}}

    def _telling_of(self, shown: Shown) -> bytes:
        return self.telling(shown.evidence, archived=shown.archived)

    async def as_far_as_possible(
        self,
        ids: Collection[EvidenceId],
        *,
        by: Caller,
        at_hand: Callable[[Readable], None] = lambda found: None,
    ) -> Readable:
        """What can be read now, and the ids of which nothing can be said.

        `at_hand` is told what there is already, before the archive is asked.
        """
        await self.access.permit(by, "evidence:read", "evidence")
        hot = await self._at_hand(ids)
        rest = [name for name in ids if name not in hot]
        at_hand(Readable(hot, rest))
        if not rest:
            return Readable(hot)
        try:
            cold, spoilt = await damage_apart(self._named, rest)
        except Unavailable as error:
            return Readable(hot, rest, error)
        return Readable(hot | dict(cold), [*spoilt], next(iter(spoilt.values()), None))

    async def _at_hand(self, ids: Collection[EvidenceId]) -> dict[EvidenceId, Shown]:
        """Nothing if the cache does not answer: the archive has it all."""
        try:
            hot = await self.cache.named(ids)
        except Unavailable:
            return {}
        return {name: Shown(one) for name, one in hot.items()}

    async def _archived(
        self, ids: Collection[EvidenceId], hot: Collection[EvidenceId]
    ) -> dict[EvidenceId, Shown]:
        rest = [name for name in ids if name not in hot]
        return await self._named(rest) if rest else {}

    async def _named(self, ids: Collection[EvidenceId]) -> dict[EvidenceId, Shown]:
        cold = await self.archive.named(ids)
        ended_by = self.clock.now() - self.kept_for
        return {name: Shown.from_archive(one, ended_by=ended_by) for name, one in cold.items()}


@frozen
class ListEvidence:
    archive: ArchiveReads
    cache: CacheReads
    filler: CacheFiller
    access: Access
    clock: Clock
    kept_for: timedelta

    async def __call__(self, asked: EvidenceAsked, page: PageRequest, *, by: Caller) -> Page[Shown]:
        """What was created of a dataset in a span of time, the last first.

        Raises:
            Unavailable: Not all of the span is at hand, and the archive cannot be read.
        """
        await self.access.permit(by, "evidence:read", asked.dataset)
        if self._is_at_hand(asked):
            # If the cache does not answer, the archive has it all.
            with suppress(Unavailable):
                return await self._at_hand(asked, page)
        return await self._archived(asked, page)

    async def as_far_as_possible(
        self, asked: EvidenceAsked, page: PageRequest, *, by: Caller
    ) -> ReadablePage:
        """The same; if the archive cannot be read, what is at hand, and why that is not all."""
        try:
            return ReadablePage(await self(asked, page, by=by))
        except Unavailable as error:
            return ReadablePage(await self._at_hand(asked, page), str(error))

    async def _at_hand(self, asked: EvidenceAsked, page: PageRequest) -> Page[Shown]:
        return _page((await self.cache.of_dataset(asked, page)).map(Shown))

    def _is_at_hand(self, asked: EvidenceAsked) -> bool:
        """Whether nothing that was created in the span can have ended."""
        return self.filler.is_whole and asked.since >= self.clock.now() - self.kept_for + MARGIN

    async def _archived(self, asked: EvidenceAsked, page: PageRequest) -> Page[Shown]:
        found = await self.archive.of_dataset(asked, page)
        try:
            hot = await self.cache.named([one.evidence_id for one in found.items])
        except Unavailable:
            hot = {}
        ended_by = self.clock.now() - self.kept_for
        return _page(
            found.map(
                lambda one: (
                    Shown(one)
                    if one.evidence_id in hot
                    else Shown.from_archive(one, ended_by=ended_by)
                )
            )
        )


def _page(page: Page[Shown]) -> Page[Shown]:
    """With places that both understand: the next page may be read from the other one."""
    places = [(stamp(one.evidence.created_at), one.evidence.evidence_id) for one in page.items]
    following = places[-1] if page.next and places else page.next
    return Page(page.items, following, places)
