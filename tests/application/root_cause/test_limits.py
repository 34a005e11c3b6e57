"""What is too much to look at is left out, and the answer says so."""

from pathlib import Path

import pytest

from application.lineage import impact as walking
from application.root_cause import recent_facts
from application.root_cause.downstream import Reach
from domain.lineage.blast_radius import BlastRadius
from domain.lineage.impact import MOST_ENTITIES
from tests.application.root_cause.scene import context, play, tell
from tests.application.store import ENGINES, ORDERS, Store

pytestmark = pytest.mark.parametrize("engine", ENGINES)


@pytest.mark.parametrize("most", [1, 2])
def test_older_facts_that_were_not_looked_at(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """The stream of the dataset and that of the service have two facts each."""
    monkeypatch.setattr(recent_facts, "_STEP", 1)
    monkeypatch.setattr(recent_facts, "_MOST", most)

    async def story(store: Store) -> None:
        parts = (await context(store, await tell(store))).parts
        assert parts.config_changes.told
        assert parts.deploys.told
        cut = (parts.config_changes.told.more, parts.deploys.told.more)
        assert cut == ((True, True) if most == 1 else (False, False))
        assert [one.what for one in parts.config_changes.told.changes] == ["changed owner_team"]
        assert [one.commit for one in parts.deploys.told.deploys] == ["bad"]

    play(engine, tmp_path, story)


def test_more_downstream_than_was_counted(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(store: Store) -> None:
        name = await tell(store)
        for most, truncated in ((walking.MOST_LINKS, False), (2, True)):
            monkeypatch.setattr(walking, "MOST_LINKS", most)
            parts = (await context(store, name)).parts
            assert parts.blast_radius_current.told
            assert parts.blast_radius_current.told[ORDERS].truncated is truncated
            assert parts.blast_radius_at_opening.told
            assert parts.blast_radius_at_opening.told[ORDERS].truncated is None

    play(engine, tmp_path, story)


@pytest.mark.parametrize(("count", "truncated"), [(MOST_ENTITIES - 1, None), (MOST_ENTITIES, True)])
def test_what_was_measured_up_to_the_limit(engine: str, count: int, truncated: bool | None) -> None:
    """Facts do not tell whether there were more."""
    radius = BlastRadius.of([str(number) for number in range(count)], ())
    assert Reach.as_measured(radius).truncated is truncated
