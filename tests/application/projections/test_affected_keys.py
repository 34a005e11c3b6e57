"""What a projection passes over is none of its business, and what it cannot read is."""

from typing import Any

import pytest

from application.projections.affected_keys import concerning
from application.projections.datasets import DatasetCards
from application.projections.dead_letters import DeadLetterCards
from application.projections.incidents import IncidentCards
from application.projections.lineage import LineageCards
from application.projections.projection import Projection
from application.projections.resolution_rules import RuleCards
from application.projections.signals import SignalCards
from application.projections.stream_directory import StreamDirectory
from application.projections.view_store import Group, Key
from application.recorded import Recorded, Unreadable
from domain.streams import StreamId
from tests.adapters.eventstore.examples import FACTS, NOON

ALL = (
    SignalCards(),
    DatasetCards(),
    RuleCards(),
    LineageCards(),
    IncidentCards(),
    StreamDirectory(),
    DeadLetterCards(),
)


class NoCards:
    """Nobody may look at a card for a fact that does not concern it."""

    def get(self, key: Key) -> Any:
        raise AssertionError(key)

    def group(self, group: Group) -> Any:
        raise AssertionError(group)


def recorded(fact: object, version: int) -> Recorded:
    stream = StreamId("elsewhere-1")
    return Recorded(7, NOON, stream, version, fact, event_id=bytes(16), by="us", correlation_id="")


@pytest.mark.parametrize("projection", ALL, ids=lambda one: one.name)
@pytest.mark.parametrize("fact", FACTS.values(), ids=FACTS.keys())
@pytest.mark.parametrize("version", [1, 2])
def test_a_fact_that_is_passed_over_changes_nothing(
    projection: Projection, fact: object, version: int
) -> None:
    one = recorded(fact, version)
    if concerning(projection, [one]):
        return
    assert [*projection.keys(one), *projection.groups(one)] == []
    assert [*projection.after(NoCards(), one)] == []


def test_few_facts_concern_nobody() -> None:
    passed_over = {
        name for name, fact in FACTS.items() if not any(one.concerns(fact, 2) for one in ALL)
    }
    assert passed_over == {"request.answered", "signal.tracked", "signal.baseline_changed"}


@pytest.mark.parametrize("projection", ALL, ids=lambda one: one.name)
def test_what_cannot_be_read_is_looked_at_by_all(projection: Projection) -> None:
    one = recorded(Unreadable("signal.guessed", "nobody knows it"), 2)
    assert concerning(projection, [one]) == [one]
