"""Whoever waited for a write reads it strongly, and for a while only."""

import asyncio
from collections.abc import Sequence

from attrs import define

from application.caller import Caller
from application.projections.progress import Progress, Reached
from application.reads.read_your_writes import SEEN_BY_ALL, OwnWrites
from tests.support.event_loop_turns import others_go_on

JANE, JOE = Caller("jane"), Caller("joe")
BOARD = "signal-state"


@define
class Stopwatch:
    seconds: float = 1_000.0

    def __call__(self) -> float:
        return self.seconds


def strong(own: OwnWrites, by: Caller = JANE, about: str | Sequence[str] = "") -> bool:
    subjects = (about,) if isinstance(about, str) else about
    return asyncio.run(own.settle(by, BOARD, *subjects)).strong


def test_only_the_writer_reads_strongly_and_only_what_it_wrote() -> None:
    own = OwnWrites(Progress(), patience=0, now=Stopwatch())
    own.progress.moved(BOARD, Reached(7))
    own.wrote(JANE, 7, ["a"])
    assert strong(own)
    assert strong(own, about="a")
    assert not strong(own, about="b")
    assert not strong(own, JOE)


def test_of_many_subjects_any_that_the_caller_wrote_counts() -> None:
    own = OwnWrites(Progress(), patience=0, now=Stopwatch())
    own.progress.moved(BOARD, Reached(7))
    own.wrote(JANE, 7, ["a"])
    assert strong(own, about=["b", "a", "c"])
    assert not strong(own, about=["b", "c"])
    assert not strong(own, JOE, about=["a", "b"])
    assert strong(own, about=[]), "about anything"


def test_the_last_write_about_any_of_many_subjects_is_waited_for() -> None:
    async def story() -> None:
        own = OwnWrites(Progress(), patience=60)
        own.progress.moved(BOARD, Reached(7))
        own.wrote(JANE, 9, ["b"])
        own.wrote(JANE, 8, ["a"])
        own.wrote(JANE, 10, ["not asked about"])
        reading = asyncio.create_task(own.settle(JANE, BOARD, "a", "b", "c"))
        await others_go_on()
        own.progress.moved(BOARD, Reached(8))
        await others_go_on()
        assert not reading.done()
        own.progress.moved(BOARD, Reached(9))
        assert (await reading).reached == Reached(9)

    asyncio.run(story())


def test_a_minute_after_it_was_shown_every_read_shows_it() -> None:
    """It counts from when the projection was seen to be there: until then nobody wrote the row."""
    watch = Stopwatch()
    own = OwnWrites(Progress(), patience=0, now=watch)
    own.wrote(JANE, 7, [])
    for seconds, reached, expected in (
        (5 * SEEN_BY_ALL, 6, True),
        (5 * SEEN_BY_ALL, 7, True),
        (SEEN_BY_ALL - 1, 8, True),
        (1, 8, False),
    ):
        watch.seconds += seconds
        own.progress.moved(BOARD, Reached(reached))
        assert strong(own) is expected, (seconds, reached)
    own.wrote(JANE, 8, [])
    assert strong(own)
