"""What need not be decoded where it was written looks no different where it must be."""

from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from adapters.eventstore.catalogue import FACTS, Entry
from adapters.eventstore.codec import UnreadableRecord
from adapters.eventstore.log import LogEntry
from adapters.eventstore.mapper import Mapper
from adapters.eventstore.sealing.seals import Seals
from adapters.memory.keys import MemoryKeys
from application.caller import Caller
from domain.dataset.config import RuleRemoved
from domain.signal.evaluation import Evaluation
from domain.signal.report import SignalReport
from domain.signal.signal import Evaluated, SignalFact, SignalState
from domain.streams import StreamId
from tests.adapters.eventstore.examples import FACTS as EXAMPLES
from tests.adapters.eventstore.examples import NOON
from tests.domain.signal.evaluations import some_evaluations
from tests.domain.signal.test_report import good_reports

EXACT = [entry.name for entry in FACTS if entry.exact]
EVALUATED: Any = EXAMPLES["signal.evaluated"]


def mapper() -> Mapper:
    return Mapper.of_catalogue(Seals(MemoryKeys()))


def stored(by: Mapper, fact: object) -> LogEntry:
    new = by.event(StreamId("signal-x"), 1, fact, event_id=b"0123456789abcdef", by=Caller("ann"))
    return LogEntry(7, NOON, new.stream, new.version, new.name, new.data, new.event_id, new.meta)


def decoded(fact: object) -> object:
    """As a process reads it that has not written it."""
    return mapper().recorded(stored(mapper(), fact)).fact


def comes_back_exactly(facts: list[SignalFact]) -> bool:
    written = [fact for fact in facts if isinstance(fact, Evaluated)]
    return [repr(decoded(fact)) for fact in written] == [repr(fact) for fact in written]


@given(good_reports(), st.timedeltas(timedelta(0), timedelta(days=1)))
def test_whatever_is_reported_comes_back_to_the_letter(
    report: SignalReport, late: timedelta
) -> None:
    evaluation = report.parse(at=NOON).evaluated(report.evaluated_at or NOON + late)
    assert comes_back_exactly([*SignalState().evaluate(evaluation, expected_version=-1)])


@given(st.lists(some_evaluations(hours=12), max_size=12))
def test_whatever_moves_comes_back_to_the_letter(evaluations: list[Evaluation]) -> None:
    state, facts = SignalState(), list[SignalFact]()
    for one in evaluations:
        decided = state.evaluate(one, expected_version=-1)
        facts += decided
        for fact in decided:
            state = state.after(fact)
    assert comes_back_exactly(facts)


def test_only_what_is_tested_here_is_said_to_be_exact() -> None:
    assert EXACT == ["signal.evaluated"]


def test_what_is_exact_is_not_decoded_where_it_was_written() -> None:
    here = mapper()
    new = stored(here, EVALUATED)
    assert here.recorded(new).fact is here.recorded(new).fact is EVALUATED


def test_what_is_not_is_decoded_everywhere() -> None:
    here, fact = mapper(), RuleRemoved("x")
    read = here.recorded(stored(here, fact)).fact
    assert read == fact
    assert read is not fact


@pytest.mark.parametrize(
    "damage",
    [
        {"data": b"{}"},
        {"data": b"nonsense"},
        {"name": "signal.baseline_changed"},
        {"meta": b'{"v": 9}'},
    ],
    ids=["other data", "no data", "another name", "another schema"],
)
def test_what_is_stored_otherwise_than_it_was_written_is_found_out(damage: dict[str, Any]) -> None:
    here = mapper()
    new = stored(here, EVALUATED)
    with pytest.raises(UnreadableRecord):
        here.recorded(evolve(new, **damage))


def test_not_all_that_was_ever_written_stays_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.eventstore.mapper.MOST_AT_HAND", 2)
    here = mapper()
    facts = [evolve(EVALUATED, version=number) for number in range(1, 4)]
    new = [stored(here, fact) for fact in facts]
    read = [here.recorded(one).fact for one in new]
    assert read == facts
    assert [one is fact for one, fact in zip(read, facts, strict=True)] == [False, True, True]


def test_what_is_sealed_is_never_exact() -> None:
    """Or who was erased would be shown to those who read on."""
    name = (("name",),)
    with pytest.raises(ValueError, match="sealed"):
        Entry("x.happened", RuleRemoved, personal=name, exact=True)
    with pytest.raises(ValueError, match="sealed"):
        Entry("x.happened", RuleRemoved, confidential=name, exact=True)
