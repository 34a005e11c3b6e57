"""
The archive of evidence: the truth, kept for ever or as long as is wanted.

What is kept at once is a batch. Batches are sorted into segments later, one per dataset and hour;
readers do not see the difference.
"""

from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import NewType, Protocol

from attrs import frozen

from application.reads.paging import Page, PageRequest
from domain.evidence.evidence import Evidence
from domain.ids import DatasetUrn, EvidenceId

BatchName = NewType("BatchName", str)


@frozen
class EvidenceAsked:
    """Evidence of a dataset, created from `since` on and before `until`."""

    dataset: DatasetUrn
    since: datetime
    until: datetime


@frozen
class ArchiveStock:
    batches: int
    """What is not sorted into segments yet."""
    segments: int
    items: int
    stored_bytes: int
    oldest: datetime | None = None
    """The hour that the oldest of it was created in."""


@frozen
class Forgotten:
    items: int
    segments: int
    spared: int


@frozen
class ArchiveFault:
    """An object of the archive that is not as it should be."""

    name: str
    reason: str


@frozen
class Inspected:
    objects: int = 0
    items: int = 0
    """What lies in two objects counts twice."""
    faults: Sequence[ArchiveFault] = ()


Progressed = Callable[[int, int], None]
"""Told how much is done, and of how much."""


class ArchiveReads(Protocol):
    """The first evidence of an id counts: what comes under it later is not heard.

    Raises (all methods):
        Unavailable: The archive does not answer.
        Damaged: What it holds is not what was kept. It is never shown.
    """

    async def named(self, ids: Collection[EvidenceId]) -> Mapping[EvidenceId, Evidence]:
        """Return what there is under the ids."""
        ...

    async def of_dataset(self, asked: EvidenceAsked, page: PageRequest) -> Page[Evidence]:
        """Return what fits, the last created first, then by id from the last to the first."""
        ...


class EvidenceArchive(ArchiveReads, Protocol):
    async def keep(self, evidence: Sequence[Evidence]) -> BatchName:
        """Keep all of it, durably, or nothing."""
        ...

    def recorded_since(
        self, at: datetime, progressed: Progressed = lambda done, whole: None
    ) -> AsyncIterator[Sequence[Evidence]]:
        """Return all that was recorded from then on, in slices that fit into memory, in no order.

        The same may come twice. What is damaged or not understood is raised when all the rest was
        told.
        """
        ...

    async def batches(self) -> Sequence[BatchName]:
        """Return those that are not sorted into segments yet, oldest first."""
        ...

    async def batch(self, name: BatchName) -> Sequence[Evidence]:
        """Return what was kept at once; nothing if it is sorted into segments by now."""
        ...

    async def compact(
        self,
        batches: Collection[BatchName],
        progressed: Progressed = lambda done, whole: None,
    ) -> None:
        """Sort the batches into segments, and make one segment of several of a dataset and hour.

        Readers see everything all the while, and a crash in between loses nothing.
        """
        ...

    async def forget(
        self,
        before: datetime,
        *,
        sparing: Collection[EvidenceId],
        recorded_before: datetime | None = None,
        progressed: Progressed = lambda done, whole: None,
    ) -> Forgotten:
        """Forget the hours that were over by then, but not the evidence that is to be spared, nor
        what was recorded later, if that is said, however old it is.

        All batches are sorted into segments first.
        """
        ...

    async def stock(self) -> ArchiveStock:
        """Tell how much there is."""
        ...

    async def inspect(self, progressed: Progressed = lambda done, whole: None) -> Inspected:
        """Read every byte there is. What is wrong is told, not raised.

        What is sorted away meanwhile is left out: whoever sorts it reads it.
        """
        ...
