"""A rebuild that was killed at any point is ended by the next one."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from attrs import define, evolve, field

from adapters.generations import draft as drafting
from adapters.memory.drafts import MemoryDrafts
from adapters.memory.engine import MemoryEngine
from adapters.row_layouts.catalogue import PROJECTION_STATE
from adapters.row_layouts.engine import TableEngine
from adapters.row_layouts.ownership import HOLDINGS
from adapters.sqlite.rows.draft_files import DraftFiles
from tests.application.projections.hooked_engine import Fuse, HookedEngine, Killed
from tests.application.projections.read_models import NAMES, ReadModels, a_bit_of_everything


async def tables_in_use(engine: MemoryEngine) -> set[str]:
    """But for the first table of states, in which the pointers lie."""
    return {key.table for key in engine._rows} - {PROJECTION_STATE.name}


async def tables_served(models: ReadModels) -> set[str]:
    serving = await models.generations.serving()
    tables = {t.name for name, n in serving.items() for t in HOLDINGS[name].of_generation(n)}
    return tables - {PROJECTION_STATE.name}


@pytest.mark.parametrize("after", [False, True])
def test_killed_at_any_write_the_next_one_ends_it(
    after: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drafting, "MOST_FILED", 7)
    story = a_bit_of_everything()
    plain = ReadModels(story, MemoryEngine())
    asyncio.run(plain.project())
    expected = asyncio.run(plain.rows())

    def killed_at(step: int) -> bool:
        """Whether it was killed; in any case it ends well the next time."""
        bare, places = MemoryEngine(), MemoryDrafts()
        asyncio.run(ReadModels(story, bare, places, plain.seals).project())
        fuse = Fuse(step)
        engine = HookedEngine(bare)
        hooked = evolve(engine, after_write=fuse) if after else evolve(engine, before_write=fuse)
        first = ReadModels(story, hooked, places, plain.seals)
        try:
            asyncio.run(first.rebuild())
        except Killed:
            second = ReadModels(story, bare, places, plain.seals)
            # Between the two, what is served is whole.
            assert asyncio.run(second.rows()) == expected
            asyncio.run(second.rebuild())
            asyncio.run(second.project())
            assert asyncio.run(second.rows()) == expected
            asyncio.run(second.verify())
            assert asyncio.run(tables_in_use(bare)) <= asyncio.run(tables_served(second))
            return True
        return False

    steps = 0
    while killed_at(steps):
        steps += 1
    assert steps > 3 * len(NAMES)


@define
class FusedDrafts:
    """Drafts whose folding is killed at the n-th write."""

    fuse: Fuse
    places: MemoryDrafts = field(factory=MemoryDrafts)

    @contextmanager
    def open(self, purpose: str, *, empty: bool = False) -> Iterator[TableEngine]:
        with self.places.open(purpose, empty=empty) as engine:
            yield HookedEngine(engine, before_write=self.fuse)

    def discard(self, purpose: str) -> None:
        self.places.discard(purpose)


def folds_after_a_kill(
    monkeypatch: pytest.MonkeyPatch, between: Callable[[ReadModels], None] = lambda models: None
) -> tuple[int, int]:
    """How many writes the whole fold takes, and how many are left after most were done."""
    monkeypatch.setattr(drafting, "MOST_FILED", 2)
    models = ReadModels(a_bit_of_everything(), MemoryEngine())
    whole = FusedDrafts(Fuse(1_000_000))
    asyncio.run(evolve(models, places=whole).rebuild())
    broken = FusedDrafts(Fuse(whole.fuse.steps * 3 // 4))
    with pytest.raises(Killed):
        asyncio.run(evolve(models, places=broken).rebuild())
    between(models)
    broken.fuse = Fuse(1_000_000)
    again = evolve(models, places=broken)
    asyncio.run(again.rebuild())
    asyncio.run(again.project())
    plain = ReadModels(models.story, MemoryEngine(), seals=models.seals)
    asyncio.run(plain.project())
    assert asyncio.run(again.rows()) == asyncio.run(plain.rows())
    return whole.fuse.steps, broken.fuse.steps


def test_a_fold_that_was_killed_is_gone_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, rest = folds_after_a_kill(monkeypatch)
    assert rest < whole / 2


def test_a_program_that_folds_otherwise_starts_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def upgraded(models: ReadModels) -> None:
        newer = evolve(HOLDINGS["dataset-registry"], version=2)
        monkeypatch.setattr(drafting, "HOLDINGS", {**HOLDINGS, "dataset-registry": newer})

    whole, rest = folds_after_a_kill(monkeypatch, upgraded)
    assert rest == whole


def test_a_draft_of_another_log_is_not_gone_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    def restored(models: ReadModels) -> None:
        """The log comes back with other facts at the same positions."""
        facts = models.story.facts
        facts[:] = [evolve(one, event_id=bytes(16), by="someone else") for one in facts]

    whole, rest = folds_after_a_kill(monkeypatch, restored)
    assert rest == whole


def test_a_draft_file_outlives_its_process_and_is_gone_in_the_end(tmp_path: Path) -> None:
    places = DraftFiles(tmp_path)
    models = ReadModels(a_bit_of_everything(), MemoryEngine(), places)
    with places.open("rebuild") as engine:
        asyncio.run(models.drafts.folding(engine).fold(NAMES, upto=5))
    with places.open("rebuild") as engine:
        assert asyncio.run(engine.reached("dataset-registry")) == 5
    asyncio.run(models.rebuild())
    assert not [*tmp_path.rglob("*.db")]
