"""A dead letter waits until it is sent again or dropped."""

from functools import reduce

import pytest

from domain.delivery.dead_letter import DeadLetter, DeadLetterFact, Dropped, Resent, SetAside
from domain.errors import NotFound
from domain.stream_categories import dead_letter_parts, dead_letter_stream
from domain.streams import StreamId

WHY = SetAside("INCIDENT_CREATED", 7, "it answered with 400", 1)


def given(*facts: DeadLetterFact) -> DeadLetter:
    return reduce(DeadLetter.after, facts, DeadLetter())


def test_it_is_set_aside_once() -> None:
    assert given().set_aside(WHY) == [WHY]
    assert given(WHY).set_aside(WHY) == []


def test_it_may_be_set_aside_again_after_its_end() -> None:
    for end in (Resent(), Dropped()):
        assert given(WHY, end).set_aside(WHY) == [WHY]


def test_it_waits_until_its_end() -> None:
    assert given(WHY).must_wait("sns/1") == WHY
    for ended in (given(), given(WHY, Resent()), given(WHY, Dropped())):
        with pytest.raises(NotFound, match="dead letter sns/1 does not exist"):
            ended.must_wait("sns/1")


def test_it_is_resent_once() -> None:
    assert given(WHY).resent() == [Resent()]
    assert given(WHY, Resent()).resent() == []
    assert given(WHY, Dropped()).resent() == []


def test_only_what_waits_is_dropped() -> None:
    assert given(WHY).drop("sns/1") == [Dropped()]
    with pytest.raises(NotFound):
        given().drop("sns/1")


def test_its_stream_names_sink_and_event() -> None:
    stream = dead_letter_stream("webhook-on-call", "0af1")
    assert stream == StreamId("letter-webhook-on-call/0af1")
    assert dead_letter_parts(stream) == ("webhook-on-call", "0af1")
