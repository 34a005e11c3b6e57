"""An archive of evidence in memory, for tests and for stores that forget everything at the end."""

from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import count

from attrs import define, field

from application.evidence.archive import (
    ArchiveStock,
    BatchName,
    EvidenceAsked,
    Forgotten,
    Inspected,
    Progressed,
)
from application.reads.paging import Page, PageRequest
from domain.evidence.evidence import Evidence
from domain.ids import EvidenceId

_HOUR = timedelta(hours=1)
_SLICE = 1_000


def page_of(
    evidence: Iterator[Evidence], asked: EvidenceAsked, page: PageRequest
) -> Page[Evidence]:
    """What fits of all that there is, the last first."""
    fitting = sorted(
        (one for one in evidence if _fits(one, asked) and _is_after(one, page)),
        key=_place,
        reverse=True,
    )
    shown = fitting[: page.size]
    return Page(shown, cursor(shown[-1]) if len(fitting) > len(shown) else None)


def cursor(one: Evidence) -> tuple[str, str]:
    return (one.created_at.isoformat(), one.evidence_id)


def _place(one: Evidence) -> tuple[datetime, str]:
    return (one.created_at, one.evidence_id)


def _fits(one: Evidence, asked: EvidenceAsked) -> bool:
    return one.dataset == asked.dataset and asked.since <= one.created_at < asked.until


def _is_after(one: Evidence, page: PageRequest) -> bool:
    if page.after is None:
        return True
    at, name = page.after
    return _place(one) < (datetime.fromisoformat(at), name)


@define
class MemoryEvidenceArchive:
    _batches: dict[BatchName, Sequence[Evidence]] = field(factory=dict, init=False)
    _kept: dict[EvidenceId, Evidence] = field(factory=dict, init=False)
    _names: Iterator[int] = field(factory=count, init=False)

    async def keep(self, evidence: Sequence[Evidence]) -> BatchName:
        name = BatchName(f"{next(self._names):012}")
        self._batches[name] = tuple(evidence)
        for one in evidence:
            self._kept.setdefault(one.evidence_id, one)
        return name

    async def named(self, ids: Collection[EvidenceId]) -> Mapping[EvidenceId, Evidence]:
        return {name: self._kept[name] for name in ids if name in self._kept}

    async def of_dataset(self, asked: EvidenceAsked, page: PageRequest) -> Page[Evidence]:
        return page_of(iter(self._kept.values()), asked, page)

    async def recorded_since(
        self, at: datetime, progressed: Progressed = lambda done, whole: None
    ) -> AsyncIterator[Sequence[Evidence]]:
        since = [one for one in self._kept.values() if one.recorded_at >= at]
        for start in range(0, len(since), _SLICE):
            yield since[start : start + _SLICE]
            progressed(min(start + _SLICE, len(since)), len(since))

    async def batches(self) -> Sequence[BatchName]:
        return list(self._batches)

    async def batch(self, name: BatchName) -> Sequence[Evidence]:
        return self._batches.get(name, ())

    async def compact(
        self,
        batches: Collection[BatchName],
        progressed: Progressed = lambda done, whole: None,
    ) -> None:
        for done, name in enumerate(batches, 1):
            self._batches.pop(name, None)
            progressed(done, len(batches))

    async def forget(
        self,
        before: datetime,
        *,
        sparing: Collection[EvidenceId],
        recorded_before: datetime | None = None,
        progressed: Progressed = lambda done, whole: None,
    ) -> Forgotten:
        late = {
            name
            for name, one in self._kept.items()
            if recorded_before is not None and one.recorded_at >= recorded_before
        }
        ended = [name for name, one in self._kept.items() if _end(one) <= before]
        gone = [name for name in ended if name not in late.union(sparing)]
        hours = {(self._kept[name].dataset, _end(self._kept[name])) for name in gone}
        for name in gone:
            del self._kept[name]
        self._batches.clear()
        progressed(len(gone), len(gone))
        return Forgotten(len(gone), len(hours), len(ended) - len(gone))

    async def stock(self) -> ArchiveStock:
        hours = {(one.dataset, _end(one)) for one in self._kept.values()}
        oldest = min((end - _HOUR for _, end in hours), default=None)
        return ArchiveStock(len(self._batches), len(hours), len(self._kept), 0, oldest)

    async def inspect(self, progressed: Progressed = lambda done, whole: None) -> Inspected:
        """Nothing can happen to it."""
        progressed(len(self._kept), len(self._kept))
        return Inspected(len(self._batches), len(self._kept))


def _end(one: Evidence) -> datetime:
    """When the hour was over that it was created in."""
    return one.created_at.replace(minute=0, second=0, microsecond=0) + _HOUR
