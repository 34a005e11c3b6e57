"""
The archive and the cache as readers ask them: what they cannot read is known.

Nobody else may ever read that part. Damage in the archive is told to the reader; what the cache
fails to answer, the archive does, so that without this nobody would hear of it. The same is asked
again now and then, so that it is also known when it can be read again.
"""

from collections.abc import Awaitable, Callable, Collection, Hashable, Mapping, Sequence
from typing import TypeVar

from attrs import define, field, frozen

from application.errors import ApplicationError, Unavailable
from application.evidence.archive import ArchiveReads, EvidenceAsked
from application.evidence.cache import CacheReads
from application.reads.paging import Page, PageRequest
from domain.evidence.evidence import Evidence
from domain.ids import EvidenceId

T = TypeVar("T")

MOST_KNOWN = 100
"""Questions that are asked again. Whoever has more does not look at their number."""

MOST_ALIKE = 5
"""Of those that are answered with the same words."""


@define
class FaultsMet:
    kind: type[Unavailable]
    """Which of them count."""
    tell: Callable[[Sequence[str]], None]
    """Gets all that are known, whenever that may have changed."""
    _met: dict[Hashable, tuple[str, Callable[[], Awaitable[object]]]] = field(
        factory=dict, init=False
    )
    """By what was asked for: how it was told that it cannot be read, and how to ask again."""

    async def asked(self, what: Hashable, ask: Callable[[], Awaitable[T]]) -> T:
        try:
            return await ask()
        except self.kind as error:
            self._meet(what, error, ask)
            self._tell()
            raise

    async def look_again(self) -> None:
        """Forget what can be read again. What fails otherwise may be as bad as before."""
        for what, (_, ask) in [*self._met.items()]:
            try:
                await ask()
            except self.kind as error:
                self._meet(what, error, ask)
            except ApplicationError:
                continue
            else:
                del self._met[what]
        self._tell()

    def _meet(
        self, what: Hashable, error: Unavailable, ask: Callable[[], Awaitable[object]]
    ) -> None:
        # Its words alone: the error itself would hold all that was under way when it came up.
        words = str(error)
        alike = sum(told == words for told, _ in self._met.values())
        if what in self._met or (len(self._met) < MOST_KNOWN and alike < MOST_ALIKE):
            self._met[what] = (words, ask)

    def _tell(self) -> None:
        self.tell([*dict.fromkeys(told for told, _ in self._met.values())])


@frozen
class ArchiveAsked:
    archive: ArchiveReads
    faults: FaultsMet

    async def named(self, ids: Collection[EvidenceId]) -> Mapping[EvidenceId, Evidence]:
        wanted = tuple(ids)
        return await self.faults.asked(wanted, lambda: self.archive.named(wanted))

    async def of_dataset(self, asked: EvidenceAsked, page: PageRequest) -> Page[Evidence]:
        return await self.faults.asked((asked, page), lambda: self.archive.of_dataset(asked, page))


@frozen
class CacheAsked:
    cache: CacheReads
    faults: FaultsMet

    async def named(self, ids: Collection[EvidenceId]) -> Mapping[EvidenceId, Evidence]:
        wanted = tuple(ids)
        return await self.faults.asked(wanted, lambda: self.cache.named(wanted))

    async def told(self, ids: Collection[EvidenceId]) -> Mapping[EvidenceId, bytes]:
        wanted = tuple(ids)
        return await self.faults.asked(("told", wanted), lambda: self.cache.told(wanted))

    async def of_dataset(self, asked: EvidenceAsked, page: PageRequest) -> Page[Evidence]:
        return await self.faults.asked((asked, page), lambda: self.cache.of_dataset(asked, page))
