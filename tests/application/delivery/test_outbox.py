"""Events reach a sink at least once, each stream's in order, whatever goes wrong (S0-331)."""

import asyncio
from collections.abc import Sequence
from itertools import chain, repeat

import pytest
from attrs import define, evolve

from application.delivery.event import EventType
from application.delivery.retry_policy import Manners
from application.errors import OutcomeUnknown, Unavailable
from application.recorded import ERASED, Recorded, Unreadable
from tests.application.delivery.outboxes import (
    AWAY,
    LATER,
    NEVER,
    TAKEN,
    MovedClock,
    Surroundings,
    ToldSink,
    a_story,
    assert_in_order,
    ids,
)
from tests.application.delivery.published_events import events_of
from tests.application.projections.story import ONE, PAYMENTS, TWO, ListFeed, registered


def test_everything_is_sent_once_if_nothing_goes_wrong() -> None:
    around = Surroundings(a_story().facts)
    around.let_it_send_all()
    expected = events_of(around.facts)
    assert sorted(ids(around.sink.received)) == sorted(ids(expected))
    assert_in_order(around.sink.received, expected)
    around.let_it_send_all()
    assert len(around.sink.received) == len(expected)


def test_streams_go_together_and_events_of_one_stream_one_by_one() -> None:
    around = Surroundings(a_story().facts)
    around.let_it_send_all(around.outbox(most=100))
    assert len(around.sink.sent[0]) == len({event.stream for event in events_of(around.facts)})


def test_a_sink_hears_only_of_what_it_wants() -> None:
    around = Surroundings(a_story().facts)
    outbox = around.outbox(types=[EventType.INCIDENT_CREATED])
    around.let_it_send_all(outbox)
    assert [event.told["incident_id"] for event in around.sink.received] == [ONE, TWO]


# Where it begins.


def test_a_new_sink_is_not_told_the_past() -> None:
    story = a_story()
    around = Surroundings(story.facts, manners=Manners(dice=lambda: 0.5))
    around.let_it_send_all()
    assert around.sink.received == []
    story.retire()
    around.let_it_send_all()
    assert [event.position for event in around.sink.received] == [len(story.facts)]


@pytest.mark.parametrize("already", [0, 1])
def test_what_comes_after_a_sink_began_is_not_past_for_it(already: int) -> None:
    """It is killed at once; what is recorded until it starts again is sent."""
    facts = a_story().facts
    around = Surroundings(facts[:already], manners=Manners(dice=lambda: 0.5))
    around.let_it_send_all()
    around.facts = facts
    around.let_it_send_all()
    assert ids(around.sink.received) != []
    assert {e.position for e in around.sink.received} == {
        e.position for e in events_of(facts) if e.position > already
    }


# What is refused.


def test_what_is_refused_is_tried_again_later_each_time() -> None:
    around = Surroundings(registered().facts, ToldSink(iter([LATER, LATER])))
    outbox = around.outbox()

    async def tries_after(seconds: float) -> int:
        around.clock.later(seconds=seconds)
        await outbox.catch_up()
        return len(around.sink.sent)

    async def story() -> list[int]:
        return [await tries_after(seconds) for seconds in (0, 0.74, 0.01, 1.49, 0.01)]

    assert asyncio.run(story()) == [1, 1, 2, 2, 3]
    assert len(around.sink.received) == 1


def test_other_streams_do_not_wait_for_what_is_refused() -> None:
    story = registered().register(PAYMENTS).retire().retire(PAYMENTS)
    around = Surroundings(story.facts, ToldSink(iter([LATER])))
    asyncio.run(around.outbox().catch_up())
    assert {event.dataset for event in around.sink.received} == {PAYMENTS}
    around.clock.later(hours=1)
    around.let_it_send_all()
    assert_in_order(around.sink.received, events_of(around.facts))
    assert set(ids(around.sink.received)) == set(ids(events_of(around.facts)))


@pytest.mark.parametrize(("answers", "tries"), [([NEVER], 1), ([LATER] * 3, 3)])
def test_what_is_refused_for_good_or_too_often_is_set_aside(answers: list[str], tries: int) -> None:
    around = Surroundings(registered().retire().facts, ToldSink(iter(answers)))
    around.let_it_send_all()
    first, second = events_of(around.facts)
    assert around.dead_letters() == {first.event_id: "it does not like it"}
    assert around.sink.received == [second]
    assert len(around.sink.sent) == tries + 1


def test_a_letter_that_may_not_be_stored_is_tried_again() -> None:
    around = Surroundings(registered().facts, ToldSink(iter([NEVER, NEVER])))
    log, around.log = around.log, UnsureLog(around.log)
    outbox = around.outbox()
    with pytest.raises(OutcomeUnknown):
        asyncio.run(outbox.catch_up())
    assert around.progress.reached("told").position == 0
    around.log = log
    around.let_it_send_all(around.outbox())
    assert len(around.dead_letters()) == 1


def test_no_more_is_read_than_can_be_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("application.delivery.outbox.MOST_WAITING", 5)
    story = registered()
    for _ in range(10):
        story.retire().restore()
    around = Surroundings(story.facts, ToldSink(chain([LATER], repeat(TAKEN))))
    outbox = around.outbox(most=2)
    asyncio.run(outbox.catch_up())
    assert around.progress.reached("told").position == 0
    around.let_it_send_all(outbox)
    assert ids(around.sink.received) == ids(events_of(around.facts))


# What cannot be told.


def test_what_is_not_understood_is_set_aside_and_the_rest_goes_on() -> None:
    """The first fact of an incident, which all later ones need to be told; one of a dataset."""
    facts = registered().open(ONE).change(ONE, acknowledge=True).retire().facts
    expected = events_of(facts)
    (opened,) = [e for e in expected if e.event_type is EventType.INCIDENT_CREATED]
    unread = {opened.position, len(facts)}
    for one in unread:
        unreadable = Unreadable("incident.unheard-of", "it cannot be read")
        facts[one - 1] = evolve(facts[one - 1], fact=unreadable)
    around = Surroundings(facts)
    around.let_it_send_all()
    aside = around.dead_letters()
    lost = {e.event_id for e in expected if e.stream == opened.stream or e.position in unread}
    assert aside.keys() == lost
    assert all("not understood by this version" in reason for reason in aside.values())
    assert set(ids(around.sink.received)) == {e.event_id for e in expected} - lost


def test_nothing_is_set_aside_that_a_sink_would_not_hear_of_anyway() -> None:
    facts = registered().retire().facts
    facts[1] = evolve(facts[1], fact=Unreadable("dataset.unheard-of", "it cannot be read"))
    around = Surroundings(facts)
    around.let_it_send_all(around.outbox(types=[EventType.INCIDENT_CREATED]))
    assert around.dead_letters() == {}


# What is away.


def test_a_sink_that_is_down_for_long_is_waited_for_and_nothing_is_set_aside() -> None:
    around = Surroundings(a_story().facts, ToldSink(iter([AWAY] * 500)))
    around.let_it_send_all()
    assert around.dead_letters() == {}
    assert set(ids(around.sink.received)) == set(ids(events_of(around.facts)))


def test_what_was_taken_is_not_sent_again_because_others_were_not() -> None:
    story = registered().register(PAYMENTS)
    around = Surroundings(story.facts, ToldSink(iter([AWAY, TAKEN])))
    around.let_it_send_all()
    assert ids(around.sink.received) == ids(events_of(story.facts))[::-1]


def test_trouble_is_told_until_it_is_over() -> None:
    around = Surroundings(registered().facts, ToldSink(iter([AWAY])))
    seen: list[str | None] = []

    async def story() -> None:
        outbox = around.outbox()
        outbox.on_trouble = lambda error: seen.append(around.progress.trouble)
        following = asyncio.create_task(outbox.run())
        assert await around.progress.wait("told", 1, timeout=30)
        await outbox.feed.idle.wait()  # type: ignore[attr-defined]  # a ListFeed
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)

    asyncio.run(story())
    assert seen == ["told: the sink told is unavailable: it is down"]
    assert around.progress.trouble is None
    assert len(around.sink.received) == 1


# Who was erased.


def test_whoever_is_erased_while_an_event_waits_is_not_named() -> None:
    around = Surroundings(registered().facts, ToldSink(iter([AWAY])))
    outbox = around.outbox()
    with pytest.raises(Unavailable):
        asyncio.run(outbox.catch_up())
    around.facts[0] = evolve(around.facts[0], by=ERASED)
    asyncio.run(outbox.catch_up())
    assert [event.told["updated_by"] for event in around.sink.received] == [ERASED]


@define
class UnsureLog:
    inner: object

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)

    async def append(self, append: object) -> object:
        raise OutcomeUnknown("the log", "it did not say")


def test_a_log_that_cannot_be_read_is_told_and_nothing_is_lost() -> None:
    around = Surroundings(registered().facts)
    outbox = around.outbox(feed=BrokenFeed(around.facts))
    with pytest.raises(Unavailable):
        asyncio.run(outbox.catch_up())
    assert [*around.progress.all()] == ["told"], "trouble is told of those that are known"
    around.let_it_send_all(outbox)
    assert len(around.sink.received) == 1


@define
class BrokenFeed(ListFeed):
    broken: bool = True

    async def read(self, after: int, limit: int) -> Sequence[Recorded]:
        if self.broken:
            self.broken = False
            raise Unavailable("the log", "it is gone")
        return await super().read(after, limit)


def test_pauses_grow_and_end_growing() -> None:
    manners = Manners(first_pause=1, longest_pause=10, dice=lambda: 1.0)
    pauses = [manners.pause_after(tries).total_seconds() for tries in range(1, 7)]
    assert pauses == [1, 2, 4, 8, 10, 10]
    assert Manners(dice=lambda: 0.0).pause_after(1).total_seconds() == 0.5


def test_how_far_it_is_behind_is_told() -> None:
    around = Surroundings(a_story().facts, ToldSink(chain([LATER])), clock=MovedClock())
    outbox = around.outbox(most=100)
    asyncio.run(outbox.catch_up())
    reached = around.progress.reached("told")
    assert (reached.position, reached.at) == (0, around.facts[0].at)
