"""A cache of evidence in memory, for tests and for stores that forget everything at the end."""

from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from datetime import timedelta
from math import ceil

from attrs import define, field

from adapters.memory.evidence_archive import page_of
from application.evidence.archive import EvidenceAsked
from application.evidence.cache import Telling
from application.ports.clock import Clock
from application.reads.paging import Page, PageRequest
from domain.evidence.evidence import Evidence
from domain.ids import EvidenceId
from domain.retention import KEPT_FOR


@define
class MemoryEvidenceCache:
    clock: Clock
    telling: Telling
    kept_for: timedelta = KEPT_FOR.evidence
    _kept: dict[EvidenceId, Evidence] = field(factory=dict, init=False)
    _pinned: set[EvidenceId] = field(factory=set, init=False)

    async def put(
        self, evidence: Sequence[Evidence], *, pinned: Collection[EvidenceId] = ()
    ) -> None:
        for one in evidence:
            if not self._shows(one.evidence_id):
                self._kept[one.evidence_id] = one
                self._pinned.discard(one.evidence_id)
            if one.evidence_id in pinned:
                self._pinned.add(one.evidence_id)

    async def named(self, ids: Collection[EvidenceId]) -> Mapping[EvidenceId, Evidence]:
        return {name: self._kept[name] for name in ids if self._shows(name)}

    async def told(self, ids: Collection[EvidenceId]) -> Mapping[EvidenceId, bytes]:
        return {name: self.telling(one) for name, one in (await self.named(ids)).items()}

    async def of_dataset(self, asked: EvidenceAsked, page: PageRequest) -> Page[Evidence]:
        return page_of(self._shown(), asked, page)

    async def ids(self) -> AsyncIterator[Sequence[EvidenceId]]:
        yield [one.evidence_id for one in self._shown()]

    async def pin(self, ids: Collection[EvidenceId]) -> Collection[EvidenceId]:
        there = {name for name in ids if self._shows(name)}
        self._pinned |= there
        return set(ids) - there

    async def unpin(self, ids: Collection[EvidenceId]) -> None:
        self._pinned -= set(ids)

    async def sweep(self) -> int:
        ended = [name for name in self._kept if not self._shows(name)]
        for name in ended:
            del self._kept[name]
        return len(ended)

    @property
    def is_suspect(self) -> bool:
        return False

    async def check(self) -> None: ...

    async def clear(self) -> None:
        self._kept.clear()
        self._pinned.clear()

    def _shown(self) -> Iterator[Evidence]:
        return (one for name, one in self._kept.items() if self._shows(name))

    def _shows(self, name: EvidenceId) -> bool:
        if name not in self._kept:
            return False
        # With a full second, as on the engines whose rows say when they end.
        end = ceil((self._kept[name].recorded_at + self.kept_for).timestamp())
        return name in self._pinned or self.clock.now().timestamp() < end
