"""Any history of puts, pins and time gives the same answers on every engine."""

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from adapters.memory.evidence_cache import MemoryEvidenceCache
from application.evidence.archive import EvidenceAsked
from application.evidence.cache import EvidenceCache
from application.reads.paging import Page, PageRequest
from domain.evidence.evidence import Evidence
from domain.ids import EvidenceId
from tests.adapters.evidence_cache.caches import KEPT_FOR, KINDS, SetClock
from tests.adapters.evidence_cache.some_evidence import NOON, ORDERS, PAYMENTS, name_of, some
from tests.application.evidence.samples import telling
from tests.support.scale import scaled

NAMES = [name_of(number) for number in range(8)]
MILLISECOND = timedelta(milliseconds=1)

names = st.sets(st.sampled_from(NAMES), max_size=5)
moments = st.integers(-2, 2).map(lambda n: NOON + n * MILLISECOND)
facts = st.lists(
    st.tuples(st.integers(0, 7), st.sampled_from([ORDERS, PAYMENTS]), moments), max_size=6
)
passing = st.sampled_from([MILLISECOND, timedelta(hours=9), KEPT_FOR])


class CacheMachine(RuleBasedStateMachine):
    kind: ClassVar[str]

    def __init__(self) -> None:
        super().__init__()
        self.clock, self.ends, self.loop = SetClock(), ExitStack(), asyncio.Runner()
        folder = Path(self.ends.enter_context(TemporaryDirectory()))
        self.cache = self.ends.enter_context(KINDS[self.kind](folder, self.clock))
        self.twin = MemoryEvidenceCache(self.clock, telling, KEPT_FOR)

    @rule(told=facts, pinned=names)
    def put(self, told: Sequence[tuple[int, str, object]], pinned: set[EvidenceId]) -> None:
        now = self.clock.now()
        evidence = [
            some(number, dataset=dataset, created_at=at, recorded_at=now)
            for number, dataset, at in told
        ]
        for cache in (self.cache, self.twin):
            self.loop.run(cache.put(evidence, pinned=pinned))

    @rule(ids=names)
    def pin(self, ids: set[EvidenceId]) -> None:
        missing = [set(self.loop.run(cache.pin(ids))) for cache in (self.cache, self.twin)]
        assert missing[0] == missing[1]

    @rule(ids=names)
    def unpin(self, ids: set[EvidenceId]) -> None:
        for cache in (self.cache, self.twin):
            self.loop.run(cache.unpin(ids))

    @rule(takes=passing)
    def time_passes(self, takes: timedelta) -> None:
        self.clock.at += takes

    @rule()
    def sweep(self) -> None:
        """Whichever of them sweeps: nobody sees it."""
        self.loop.run(self.cache.sweep())

    @rule()
    def clear(self) -> None:
        for cache in (self.cache, self.twin):
            self.loop.run(cache.clear())

    @rule(
        dataset=st.sampled_from([ORDERS, PAYMENTS]),
        since=moments,
        until=moments,
        size=st.integers(1, 4),
    )
    def walk(self, dataset: str, since: object, until: object, size: int) -> None:
        asked = EvidenceAsked(dataset, since, until)  # type: ignore[arg-type]
        assert self._pages(self.cache, asked, size) == self._pages(self.twin, asked, size)

    @invariant()
    def shows_the_same(self) -> None:
        found = self.loop.run(self.cache.named(NAMES))
        assert found == self.loop.run(self.twin.named(NAMES))
        told = self.loop.run(self.cache.told(NAMES))
        assert told == {name: telling(one) for name, one in found.items()}
        assert sorted(self.loop.run(_ids(self.cache))) == sorted(found)

    def teardown(self) -> None:
        self.ends.close()
        self.loop.close()

    def _pages(self, cache: object, asked: EvidenceAsked, size: int) -> list[list[Evidence]]:
        found, request = list[list[Evidence]](), PageRequest(size)
        while True:
            page: Page[Evidence] = self.loop.run(
                cache.of_dataset(asked, request)  # type: ignore[attr-defined]
            )
            found.append(list(page.items))
            if page.next is None:
                return found
            request = PageRequest(size, page.next)


async def _ids(cache: EvidenceCache) -> list[EvidenceId]:
    return [name async for ids in cache.ids() for name in ids]


class SqliteMachine(CacheMachine):
    kind = "sqlite"


class DynamoMachine(CacheMachine):
    kind = "dynamodb"


TestSqlite = SqliteMachine.TestCase
TestSqlite.settings = settings(max_examples=scaled(25, 2_000), stateful_step_count=25)
TestDynamo = DynamoMachine.TestCase
TestDynamo.settings = settings(max_examples=scaled(6, 300), stateful_step_count=20)
