"""
Recent evidence at hand: a projection of the archive that may be thrown away (S0-100, S0-102).

Each item ends some time after it was recorded, unless it is pinned (S0-327).
"""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import Protocol

from application.evidence.archive import EvidenceAsked
from application.reads.paging import Page, PageRequest
from domain.evidence.evidence import Evidence
from domain.ids import EvidenceId


class Telling(Protocol):
    """Evidence as the bytes in which most of those who ask for it want it."""

    def __call__(self, one: Evidence, *, archived: bool = False) -> bytes: ...


class CacheReads(Protocol):
    """What has ended is as good as gone, whether or not it is still stored (T26).

    It ends with the first full second after its time.

    Raises (all methods):
        Unavailable: The cache does not answer.
        Damaged: Something in it is not as it was put. From then on the cache is suspect.
    """

    async def named(self, ids: Collection[EvidenceId]) -> Mapping[EvidenceId, Evidence]:
        """Return what there is under the ids."""
        ...

    async def told(self, ids: Collection[EvidenceId]) -> Mapping[EvidenceId, bytes]:
        """The same as the bytes that the cache's `Telling` makes of it.

        A cache may keep them: what is told once is read many times.
        """
        ...

    async def of_dataset(self, asked: EvidenceAsked, page: PageRequest) -> Page[Evidence]:
        """Return what fits, the last created first, then by id from the last to the first.

        Of what was put a moment ago, some may be missing.
        """
        ...


class EvidenceCache(CacheReads, Protocol):
    async def put(
        self, evidence: Sequence[Evidence], *, pinned: Collection[EvidenceId] = ()
    ) -> None:
        """Show all of it until it ends, and the pinned ones until they are unpinned.

        What is there stays as it is; doing it twice does no harm.
        """
        ...

    def ids(self) -> AsyncIterator[Sequence[EvidenceId]]:
        """Return all that is shown, some at a time, in no order.

        Of what is put, ends or is thrown away meanwhile, some may be missing.
        """
        ...

    async def pin(self, ids: Collection[EvidenceId]) -> Collection[EvidenceId]:
        """Let these not end; returns those that are not there, or have ended."""
        ...

    async def unpin(self, ids: Collection[EvidenceId]) -> None:
        """Let these end as if they had never been pinned. What is not there is fine."""
        ...

    async def sweep(self) -> int:
        """Throw away what has ended; tells how many those were.

        An engine that does so by itself has nothing to do.
        """
        ...

    async def clear(self) -> None:
        """Drop everything, be it damaged or not."""
        ...

    @property
    def is_suspect(self) -> bool:
        """Whether something was found damaged since it was cleared last."""
        ...

    async def check(self) -> None:
        """Look at all of it, whether what is found there, and what is not, can be relied on.

        Rows are not compared with anything. An engine that sees to that by itself only looks at
        what was found damaged.

        Raises:
            Damaged: It cannot.
        """
        ...
