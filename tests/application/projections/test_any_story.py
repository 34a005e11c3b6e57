"""Whatever happens, cards are a function of the facts: not of batches, races or restarts."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.eventstore.sealing.seals import Seals
from adapters.memory.engine import MemoryEngine
from adapters.memory.keys import MemoryKeys
from adapters.read_models.view_store import TableCards
from application.projections.datasets import DatasetCards
from application.projections.incidents import IncidentCards
from application.projections.lineage import LineageCards
from application.projections.resolution_rules import RuleCards
from application.projections.signals import SignalCards
from domain.dataset.tier import Tier
from domain.errors import DomainError
from domain.ids import FailureSignature
from domain.incident.patch import Snooze
from domain.incident.severity import Severity
from domain.incident.values import Resolution
from domain.signal.evaluation import SignalStateEnum
from tests.application.projections.sharing import Workshop
from tests.application.projections.story import (
    FRESHNESS,
    LATE,
    MISSING,
    NOON,
    ONE,
    ORDERS,
    PAYMENTS,
    TWO,
    VOLUME,
    ListFeed,
    Story,
    WatchedCards,
    runner,
)
from tests.domain.lineage.specs import specs

ALL = (SignalCards(), DatasetCards(), RuleCards(), LineageCards(), IncidentCards())

datasets = st.sampled_from([ORDERS, PAYMENTS])
patterns = st.sampled_from(["raw.a", "raw.a.*", "raw.b.*", "*"])
names = st.sampled_from(["r", "s"])
sizes = st.integers(1, 6)
incidents = st.sampled_from([ONE, TWO])
MERGES = [{"name": ONE, "into": TWO}, {"name": TWO, "into": ONE}]


def opens(story: Story, *, signature: FailureSignature, **how: Any) -> None:
    story.open(how.pop("name"), signature, **how)


chapters = st.one_of(
    st.tuples(
        st.just(Story.evaluate),
        st.fixed_dictionaries(
            {
                "state": st.sampled_from(SignalStateEnum),
                "hour": st.integers(0, 30),
                "signal_type": st.sampled_from([FRESHNESS, VOLUME]),
                "dataset": datasets,
            }
        ),
    ),
    st.tuples(
        st.just(Story.reconfigure),
        st.fixed_dictionaries(
            {"dataset": datasets},
            optional={
                "tier": st.sampled_from(Tier),
                "owner_team": names,
                "description": names,
            },
        ),
    ),
    st.tuples(
        st.sampled_from([Story.retire, Story.restore]),
        st.fixed_dictionaries({"dataset": datasets}),
    ),
    st.tuples(
        st.sampled_from([Story.add_rule, Story.change_rule]),
        st.fixed_dictionaries({"dataset": datasets, "pattern": patterns, "name": names}),
    ),
    st.tuples(
        st.just(opens),
        st.fixed_dictionaries(
            {
                "name": incidents,
                "signature": st.sampled_from([MISSING, LATE]),
                "signals": st.lists(st.sampled_from([FRESHNESS, VOLUME]), min_size=1),
                "dataset": datasets,
            }
        ),
    ),
    st.tuples(
        st.just(Story.change),
        st.fixed_dictionaries(
            {"name": incidents},
            optional={
                "reopen": st.booleans(),
                "acknowledge": st.booleans(),
                "severity": st.sampled_from(Severity),
                "note": names,
                "snooze": st.sampled_from([Snooze(NOON + timedelta(days=1)), Snooze(None)]),
                "resolution": st.just(Resolution("x")),
            },
        ),
    ),
    st.tuples(st.just(Story.merge), st.sampled_from(MERGES)),
    st.tuples(st.just(Story.wait), st.fixed_dictionaries({"days": st.sampled_from([1, 31, 366])})),
    st.tuples(st.just(Story.split), st.fixed_dictionaries({"name": incidents})),
    st.tuples(
        st.just(Story.remove_rule), st.fixed_dictionaries({"dataset": datasets, "name": names})
    ),
    st.tuples(
        st.just(Story.declare), st.fixed_dictionaries({"spec": specs("job:a") | specs("svc:b")})
    ),
)


def told(chapters: Sequence[tuple[object, dict[str, object]]]) -> Story:
    """A story in which what the domain refuses did not happen."""
    story = Story().register(ORDERS).register(PAYMENTS)
    for happens, how in chapters:
        try:
            happens(story, **how)  # type: ignore[operator]  # one of Story's own methods
        except DomainError:
            continue
    return story


def empty_cards() -> WatchedCards:
    return WatchedCards(TableCards(MemoryEngine(), Seals(MemoryKeys())))


@settings(max_examples=60, deadline=None)
@given(st.lists(chapters, max_size=25), sizes, sizes, st.integers(0, 30))
def test_any_story_gives_the_same_cards_however_it_is_read(
    chapters: list[tuple[object, dict[str, object]]], one: int, other: int, pause: int
) -> None:
    story = told(chapters)
    expected, raced = empty_cards(), empty_cards()
    asyncio.run(runner(ALL, story.facts, expected, 1000).catch_up())

    async def race() -> None:
        await runner(ALL, story.facts[:pause], raced, one).catch_up()
        stale = runner(ALL, story.facts, raced, other)
        await asyncio.gather(stale.catch_up(), runner(ALL, story.facts, raced, one).catch_up())

    asyncio.run(race())
    assert raced.now() == expected.now()


moves = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from(["turn", "die", "wait"])), max_size=40
)


@settings(max_examples=40, deadline=None)
@given(st.lists(chapters, max_size=25), moves, sizes)
def test_any_story_gives_the_same_cards_whoever_folds_it(
    chapters: list[tuple[object, dict[str, object]]],
    moves: list[tuple[int, str]],
    most: int,
) -> None:
    """Processes take turns, die and are replaced, and stand still for longer than leases last."""
    story = told(chapters)
    expected = empty_cards()
    asyncio.run(runner(ALL, story.facts, expected, 1000).catch_up())
    shop = Workshop(ALL, ListFeed(story.facts, most), empty_cards())

    async def happen() -> None:
        processes = [shop.process(str(number)) for number in range(3)]
        for number, (which, what) in enumerate(moves):
            if what == "turn":
                await processes[which].turn()
            elif what == "die":
                processes[which] = shop.process(f"{which} after {number}")
            shop.time += 7.0 if what == "wait" else 0.5
        for _ in range(len(story.facts) + 20):
            await shop.work(processes, seconds=1)
        names = [name for process in processes for name in process.holds]
        assert sorted(names) == sorted(projection.name for projection in ALL)

    asyncio.run(happen())
    assert shop.cards.now() == expected.now()
