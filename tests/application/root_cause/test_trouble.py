"""What is slow or fails is left out and named; all else is right, and nothing goes on behind it."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from adapters.memory.evidence_cache import MemoryEvidenceCache
from application.errors import Damaged, Unavailable
from application.root_cause.context import Context
from application.root_cause.deadline import Wanted, gathered
from application.root_cause.part import LOG, Part
from domain.ids import EvidenceId
from domain.root_cause.suspects import Suspect
from tests.application.evidence.test_cache_rebuild import DamagedFor
from tests.application.replaced_readers import current
from tests.application.root_cause.scene import (
    BREACH,
    EVIDENCE,
    OPENED,
    Trouble,
    context,
    hurried,
    never,
    play,
    tell,
)
from tests.application.store import ADMIN, Store
from tests.support.event_loop_turns import others_go_on

AWAY = Unavailable("the store", "it does not answer")
BY_PART = {
    "incidents": (["matching", "open_of"], {"related"}),
    "lineage": (
        ["writers", "readers", "readings", "writings"],
        {"writers", "readers", "blast_radius_current", "related"},
    ),
}


@pytest.mark.parametrize("part", ["incidents", "lineage"])
@pytest.mark.parametrize("error", [None, AWAY])
def test_a_read_model_in_trouble(part: str, error: Exception | None, tmp_path: Path) -> None:
    names, concerned = BY_PART[part]

    async def story(store: Store) -> None:
        name = await tell(store)
        whole = await context(store, name)
        usual = getattr(await current(store.container.reads()), part)
        trouble = Trouble(usual, names, error)
        told = await hurried(store, name, parts={part: trouble})
        assert not told.complete
        assert {one for one, _ in told.missing} == concerned
        assert all(one.late is (error is None) for _, one in told.missing)
        assert all(one.missing == error for _, one in told.missing)
        rest = {name: one for name, one in told.parts.each() if name not in concerned}
        assert rest == {name: one for name, one in whole.parts.each() if name in rest}
        assert trouble.left == trouble.held
        assert len(asyncio.all_tasks()) == 1

    play("memory", tmp_path, story)


@pytest.mark.parametrize("port", ["cache", "archive"])
@pytest.mark.parametrize("error", [None, AWAY, Damaged("a segment", "a bit is flipped")])
def test_evidence_in_trouble(port: str, error: Exception | None, tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        name = await tell(store)
        whole = await context(store, name)
        read = store.use_cases.read_evidence
        trouble = Trouble(getattr(read, port), ["named"], error)
        changed: dict[str, Any] = {port: trouble}
        told = await hurried(store, name, read_evidence=evolve(read, **changed))
        if not told.complete:  # a cache that is away need not matter
            assert [one for one, _ in told.missing] == ["evidence"]
            assert told.parts.evidence.missing == error
            assert told.cause.without == ["evidence"]
            sample = told.parts.evidence.told
            lost = 0 if sample and sample.found else 40
            assert _likeliest(told).weight == _likeliest(whole).weight - lost
        else:
            assert (port, _named(told)) == ("cache", _named(whole))
        assert len(asyncio.all_tasks()) == 1

    play("memory", tmp_path, story)


@pytest.mark.parametrize("away", [None, Damaged("a segment", "a bit is flipped")])
def test_evidence_at_hand_is_shown_while_the_archive_fails_or_is_slow(
    away: Exception | None, tmp_path: Path
) -> None:
    """The one that is not at hand may be in the archive, or nowhere: nobody can say."""

    async def story(store: Store) -> None:
        name = await tell(store)
        read = store.use_cases.read_evidence
        trouble = Trouble(read.archive, ["named"], away)
        told = await hurried(store, name, read_evidence=evolve(read, archive=trouble))
        sample = told.parts.evidence.told
        assert sample
        assert _named(told) == EVIDENCE[:3]
        assert (sample.missing, sample.unread) == ([], EVIDENCE[3:])
        assert [(one, part.missing) for one, part in told.missing] == [("evidence", away)]
        assert told.parts.evidence.late is (away is None)
        assert len(asyncio.all_tasks()) == 1
        assert told.cause.without == ["evidence"]
        assert "wrote 3 of 3 failing records (v3.17)" in [
            one.sentence for one in _likeliest(told).reasons
        ]

    play("memory", tmp_path, story)


@pytest.mark.parametrize("lost", [EVIDENCE[:1], EVIDENCE])
def test_where_nothing_is_at_hand_what_could_not_be_read_is_named(
    lost: Sequence[EvidenceId], tmp_path: Path
) -> None:
    """And what lies elsewhere in the archive is shown."""

    async def story(store: Store) -> None:
        name = await tell(store)
        read = store.use_cases.read_evidence
        cache = MemoryEvidenceCache(store.clock, read.telling)
        reading = evolve(read, cache=cache, archive=DamagedFor(read.archive, *lost))
        told = await hurried(store, name, read_evidence=reading)
        sample = told.parts.evidence.told
        assert sample
        assert _named(told) == [one for one in EVIDENCE[:3] if one not in lost]
        assert sample.unread == lost
        assert isinstance(told.parts.evidence.missing, Damaged)

    play("memory", tmp_path, story)


def test_the_incident_itself_has_a_deadline(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        name = await tell(store)
        trouble = Trouble((await current(store.container.reads())).streams, ["facts"])
        with pytest.raises(Unavailable, match="in time"):
            await hurried(store, name, parts={"streams": trouble})
        assert (trouble.held, trouble.left) == (1, 1)
        assert len(asyncio.all_tasks()) == 1

    play("memory", tmp_path, story)


def _named(told: Context) -> Sequence[str]:
    sample = told.parts.evidence.told
    assert sample
    return [one.evidence.evidence_id for one in sample.found]


def _likeliest(told: Context) -> Suspect:
    found: Suspect | None = told.cause.suspicion.likeliest
    assert found
    return found


@pytest.mark.parametrize("error", [None, AWAY])
def test_the_log_in_trouble_after_the_incident(error: Exception | None, tmp_path: Path) -> None:
    """Parts that are folded are missing; those of the read models are there."""

    async def story(store: Store) -> None:
        name = await tell(store)
        reads = store.use_cases.read_context.reads
        troubled = evolve(reads, log=Trouble(reads.log, ["position_at"], error))
        told = await hurried(store, name, reads=troubled)
        missing = {one for one, _ in told.missing}
        folded_since = {"breach", "deploys"}
        waiting = {"signals", "config_changes"} if error is None else set[str]()
        assert missing == folded_since | waiting
        assert told.breach.start == OPENED != BREACH  # all that is known of it
        assert told.cause.without == [
            one for one in ("breach", "signals", "deploys") if one in missing
        ]
        assert _likeliest(told).producer_id == "orders-svc"

    play("memory", tmp_path, story)


def test_what_was_never_begun_when_the_time_is_up() -> None:
    async def scene() -> None:
        begun: list[str] = []

        async def ask() -> Part[str]:
            begun.append("it")
            return Part("it", LOG, 0.0)

        time_up = asyncio.get_running_loop().create_future()
        time_up.set_result(None)
        told = await gathered({"it": Wanted(LOG, ask)}, time_up)
        assert (told, begun) == ({"it": Part.too_late(LOG)}, [])
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(scene())


def test_whoever_goes_away_leaves_nothing_behind(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        name = await tell(store)
        held = asyncio.Event()
        trouble = Trouble(store.use_cases.read_evidence.cache, ["named"])

        async def until_held(*args: object) -> None:
            held.set()
            await never(0)

        read = evolve(
            store.use_cases.read_context,
            passing=until_held,
            read_evidence=evolve(store.use_cases.read_evidence, cache=trouble),
        )
        asking = asyncio.ensure_future(read(name, by=ADMIN))
        await held.wait()
        await others_go_on(3_000)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        assert (trouble.held, trouble.left) == (1, 1)
        assert len(asyncio.all_tasks()) == 1

    play("memory", tmp_path, story)


def test_a_mistake_of_ours_is_not_hidden(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        name = await tell(store)
        usual = (await current(store.container.reads())).lineage
        trouble = Trouble(usual, ["writers"], KeyError("entity"))
        with pytest.raises(KeyError):
            await hurried(store, name, parts={"lineage": trouble})
        assert len(asyncio.all_tasks()) == 1

    play("memory", tmp_path, story)
