"""Killed at any point, an outbox repeats and never loses (S0-331)."""

from itertools import count

from attrs import define, field
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.application.delivery.outboxes import (
    AWAY,
    LATER,
    NEVER,
    TAKEN,
    UNHEARD,
    Killed,
    Surroundings,
    ToldSink,
    a_story,
    assert_in_order,
    ids,
)
from tests.application.delivery.published_events import events_of
from tests.application.projections.story import WatchedCards
from tests.application.projections.test_any_story import chapters, told
from tests.support.scale import scaled


@define
class Fuse:
    """Lets so many steps happen, and kills before the next one."""

    left: int

    def step(self) -> None:
        if self.left == 0:
            self.left = -1
            raise Killed
        self.left -= 1


@define
class FusedCards(WatchedCards):
    fuse: Fuse = field(kw_only=True)

    async def file(self, *filing: object, **more: object) -> None:
        self.fuse.step()
        await super().file(*filing, **more)  # type: ignore[arg-type]  # handed on as it is
        self.fuse.step()


@define
class FusedLog:
    inner: object
    fuse: Fuse

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)

    async def append(self, append: object) -> object:
        self.fuse.step()
        receipt = await self.inner.append(append)  # type: ignore[attr-defined]  # a log
        self.fuse.step()
        return receipt


def test_killed_at_any_point_it_repeats_and_never_loses() -> None:
    """Every point before and after sending, setting aside and keeping is tried."""
    facts = a_story().facts
    expected = events_of(facts)
    for number in count():
        fuse = Fuse(number)
        sink = ToldSink(iter([TAKEN, NEVER, TAKEN, LATER]), before=fuse.step, after=fuse.step)
        around = Surroundings(facts, sink, FusedCards(fuse=fuse))
        around.log = FusedLog(around.log, fuse)
        try:
            around.let_it_send_all()
        except Killed:
            around.let_it_send_all()
        aside = around.dead_letters()
        assert set(ids(sink.received)) | set(aside) == set(ids(expected))
        assert_in_order(sink.received, expected, [*aside])
        if fuse.left >= 0:
            break
    assert number > 3 * len(expected)


answers = st.sampled_from([TAKEN, TAKEN, TAKEN, LATER, LATER, NEVER, AWAY, UNHEARD])


@settings(max_examples=scaled(60, 1000), deadline=None)
@given(
    st.lists(chapters, max_size=25),
    st.lists(answers, max_size=60),
    st.lists(st.integers(0, 12), max_size=4),
    st.integers(1, 9),
)
def test_any_story_under_any_faults(
    chapters: list[tuple[object, dict[str, object]]],
    answers: list[str],
    kills: list[int],
    most: int,
) -> None:
    facts = told(chapters).facts
    expected = events_of(facts)
    around = Surroundings(facts, ToldSink(iter(answers)))
    for steps in kills:  # each life ends after so many deliveries
        fuse = Fuse(steps)
        around.sink.after = fuse.step
        try:
            around.let_it_send_all(around.outbox(most))
        except Killed:
            continue
    around.sink.after = lambda: None
    around.let_it_send_all(around.outbox(most))
    aside = around.dead_letters()
    assert set(ids(around.sink.received)) | set(aside) == set(ids(expected))
    assert_in_order(around.sink.received, expected, [*aside])
    assert (LATER in answers or NEVER in answers) or not aside
