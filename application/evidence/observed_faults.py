"""
The archive and the cache as readers ask them: what they cannot read is known.

Nobody else may ever read that part. Damage in the archive is told to the reader; what the cache
fails to answer, the archive does, so that without this nobody would hear of it.
"""

from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeVar

from attrs import define, field, frozen

from application.errors import ApplicationError, Damaged, Unavailable
from application.evidence.archive import ArchiveReads, EvidenceAsked
from application.evidence.cache import CacheReads
from application.reads.paging import Page, PageRequest
from domain.evidence.evidence import Evidence
from domain.ids import EvidenceId

T = TypeVar("T")

MOST_KNOWN = 100
"""Parts of the archive. Whoever has more that are damaged does not look at their number."""


@define
class FaultsMet:
    """The damage that readers met in the archive, until what they asked for can be read again."""

    tell: Callable[[Sequence[str]], None]
    """Gets all that is known, whenever that may have changed."""
    _met: dict[str, Callable[[], Awaitable[object]]] = field(factory=dict, init=False)
    """By its words: how to ask again. The error itself would hold all that was under way."""

    async def asked(self, ask: Callable[[], Awaitable[T]]) -> T:
        try:
            return await ask()
        except Damaged as error:
            self._meet(error, ask)
            self.tell([*self._met])
            raise

    async def look_again(self) -> None:
        """Forget what can be read again. What fails otherwise may be as bad as before."""
        for words, ask in [*self._met.items()]:
            try:
                await ask()
            except Damaged as error:
                if str(error) != words:
                    del self._met[words]
                    self._meet(error, ask)
            except ApplicationError:
                continue
            else:
                del self._met[words]
        self.tell([*self._met])

    def _meet(self, error: Damaged, ask: Callable[[], Awaitable[object]]) -> None:
        if len(self._met) < MOST_KNOWN:
            self._met.setdefault(str(error), ask)


@frozen
class ArchiveAsked:
    archive: ArchiveReads
    faults: FaultsMet

    async def named(self, ids: Collection[EvidenceId]) -> Mapping[EvidenceId, Evidence]:
        wanted = tuple(ids)
        return await self.faults.asked(lambda: self.archive.named(wanted))

    async def of_dataset(self, asked: EvidenceAsked, page: PageRequest) -> Page[Evidence]:
        return await self.faults.asked(lambda: self.archive.of_dataset(asked, page))


@frozen
class CacheAsked:
    cache: CacheReads
    tell: Callable[[Unavailable], None]
    """Gets what it fails with."""

    async def named(self, ids: Collection[EvidenceId]) -> Mapping[EvidenceId, Evidence]:
        with self._told():
            return await self.cache.named(ids)

    async def told(self, ids: Collection[EvidenceId]) -> Mapping[EvidenceId, bytes]:
        with self._told():
            return await self.cache.told(ids)

    async def of_dataset(self, asked: EvidenceAsked, page: PageRequest) -> Page[Evidence]:
        with self._told():
            return await self.cache.of_dataset(asked, page)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except Unavailable as error:
            self.tell(error)
            raise
