"""The past reads only what it must, and says so when it cannot."""

import asyncio
from datetime import timedelta

import pytest
from attrs import evolve

from application.datasets.read_model import DatasetFilter
from application.errors import NotCaughtUp, TooWide
from application.incidents.read_model import IncidentFilter
from application.projections.progress import Progress, Reached
from application.projections.stream_directory import DIRECTORY
from application.reads.as_of.datasets import PastDatasets
from application.reads.as_of.incidents import PastIncidents
from application.reads.as_of.lineage import PastLineage
from application.reads.as_of.signals import PastSignals
from application.reads.as_of.snapshot import Past
from application.reads.paging import PageRequest
from domain.ids import EntityId
from domain.signal.evaluation import SignalStateEnum
from tests.application.projections.story import (
    FRESHNESS,
    ONE,
    ORDERS,
    PAYMENTS,
    VOLUME,
    Story,
    registered,
)
from tests.application.reads.as_of.past_states import ToldHistory, past_of
from tests.domain.lineage.specs import NOON, spec

LATER = NOON + timedelta(hours=1)


def past(story: Story, most: int = 2_000) -> Past:
    return asyncio.run(past_of(story.facts, story.now, most))


def read(past: Past) -> list[str]:
    """The streams of the facts that were read."""
    assert isinstance(past.history, ToldHistory)
    return [fact.stream for fact in past.history.read]


def test_a_signal_is_read_from_its_last_checkpoint_on() -> None:
    story = registered()
    for hour in range(20):
        story.evaluate(hour=hour)
    then = past(story)

    card = asyncio.run(PastSignals(then).find(ORDERS, FRESHNESS))

    assert card is not None
    assert card.version == 20
    assert read(then).count(f"signal-{ORDERS}/{FRESHNESS}") < 3


def test_only_the_streams_concerned_are_read() -> None:
    story = registered().register(PAYMENTS)
    story.evaluate().evaluate(dataset=PAYMENTS).evaluate(signal_type=VOLUME)
    then = past(story)

    asyncio.run(PastSignals(then).of_dataset(ORDERS))

    assert set(read(then)) == {
        f"dataset-{ORDERS}",
        f"signal-{ORDERS}/{FRESHNESS}",
        f"signal-{ORDERS}/{VOLUME}",
    }


def test_the_same_streams_are_read_once_for_one_answer() -> None:
    then = past(registered().evaluate(SignalStateEnum.CRITICAL))
    board = PastSignals(then)

    asyncio.run(board.not_ok(SignalStateEnum.CRITICAL, PageRequest()))
    first = len(read(then))
    asyncio.run(board.not_ok(SignalStateEnum.WARNING, PageRequest()))

    assert first == len(read(then)) > 0


def test_a_directory_that_does_not_know_all_streams_is_not_asked() -> None:
    then = past(registered().evaluate())
    behind = Progress()
    behind.moved(DIRECTORY, Reached(1))

    with pytest.raises(NotCaughtUp) as raised:
        asyncio.run(PastSignals(evolve(then, progress=behind)).of_dataset(ORDERS))

    assert (raised.value.reached, raised.value.wanted) == (1, then.position)


def test_too_much_is_refused_and_less_is_answered() -> None:
    story = registered().register(PAYMENTS).evaluate().evaluate(signal_type=VOLUME).open()
    then = past(story, most=1)

    with pytest.raises(TooWide, match="more than 1 datasets"):
        asyncio.run(PastDatasets(then).matching(DatasetFilter(), PageRequest()))
    with pytest.raises(TooWide, match="more than 1 signals"):
        asyncio.run(PastSignals(then).of_dataset(ORDERS))
    found = asyncio.run(PastIncidents(then).matching(IncidentFilter(), PageRequest()))
    assert [card.incident for card in found.items] == [ONE]


def test_who_wrote_is_found_by_the_writer_alone() -> None:
    told = spec(reads=[(PAYMENTS, "c")], writes=[(ORDERS, "job:a")])
    then = past(Story().declare(told).declare(evolve(told, commit="b", updated_at=LATER)))

    found = asyncio.run(PastLineage(then).writings([EntityId("job:a")], most=10)).found

    assert [one.dataset for one in found[EntityId("job:a")]] == [ORDERS]
    assert len(read(then)) == 1, "the last spec says all"
