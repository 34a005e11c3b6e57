"""Whatever two processes do with an archive, both show what the twin shows."""

import asyncio
from datetime import timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from adapters.memory.blobs import MemoryBlobs
from adapters.memory.evidence_archive import MemoryEvidenceArchive
from application.evidence.archive import EvidenceArchive
from domain.evidence.evidence import Evidence
from domain.ids import EvidenceId
from tests.adapters.evidence_archive.archives import over
from tests.adapters.evidence_archive.contents import recorded, shown
from tests.adapters.evidence_archive.samples import ORDERS, START, STOCK, evidence
from tests.support.scale import scaled

HOUR = timedelta(hours=1)
DATASETS = (ORDERS, STOCK)

told = st.tuples(
    st.integers(0, 12), st.sampled_from(DATASETS), st.integers(0, 40), st.integers(0, 1)
)


class Archives(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.run = self.runner.run
        self.blobs = MemoryBlobs()
        self.archives = [over(self.blobs, "p1"), over(self.blobs, "p2")]
        self.twin = MemoryEvidenceArchive()
        self.clock = timedelta()
        self.ids: set[EvidenceId] = set()

    @rule(which=st.integers(0, 1), items=st.lists(told, max_size=6))
    def keep(self, which: int, items: list[tuple[int, str, int, int]]) -> None:
        kept = [self.evidence(*item) for item in items]
        self.ids |= {one.evidence_id for one in kept}
        self.run(self.archives[which].keep(kept))
        self.run(self.twin.keep(kept))

    def evidence(self, number: int, dataset: str, created: int, made: int) -> Evidence:
        """Every keep is later than those before it."""
        self.clock += timedelta(milliseconds=1)
        return evidence(
            number,
            dataset=ORDERS if dataset == ORDERS else STOCK,
            created=created * HOUR / 10,
            recorded=self.clock,
            made=made * HOUR,
        )

    @rule(which=st.integers(0, 1), data=st.data())
    def compact(self, which: int, data: st.DataObject) -> None:
        names = self.run(self.archives[1 - which].batches())
        some = data.draw(st.lists(st.sampled_from(names), unique=True)) if names else []
        self.run(self.archives[which].compact(some))

    @rule(which=st.integers(0, 1), hours=st.integers(0, 5), data=st.data())
    def forget(self, which: int, hours: int, data: st.DataObject) -> None:
        spared = data.draw(st.sets(st.sampled_from(sorted(self.ids)))) if self.ids else set()
        before = START + hours * HOUR
        gone = self.run(self.archives[which].forget(before, sparing=spared))
        assert gone == self.run(self.twin.forget(before, sparing=spared))

    @rule(which=st.integers(0, 1))
    def reopen(self, which: int) -> None:
        self.archives[which] = over(self.blobs, f"p{which + 1}")

    @invariant()
    def both_show_what_the_twin_shows(self) -> None:
        expected = self.run(self.seen(self.twin))
        for archive in self.archives:
            assert self.run(self.seen(archive)) == expected

    async def seen(self, archive: EvidenceArchive) -> object:
        by_id, lists = await shown(archive, self.ids, DATASETS)
        # The same may come twice, and what is not heard before it is sorted.
        replayed = await recorded(archive, START)
        assert replayed.keys() == by_id.keys()
        return by_id, lists

    def teardown(self) -> None:
        try:
            self.run(self.all_sorted())
        finally:
            self.runner.close()

    async def all_sorted(self) -> None:
        archive = self.archives[0]
        await archive.compact(await archive.batches())
        stock, expected = await archive.stock(), await self.twin.stock()
        assert (stock.items, stock.oldest) == (expected.items, expected.oldest)


TestArchives = Archives.TestCase
TestArchives.settings = settings(
    max_examples=scaled(15, 500), stateful_step_count=15, deadline=None
)
