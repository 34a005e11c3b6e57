"""Finding places by when they were reached, with as few looks as can be."""

import asyncio
from bisect import bisect_right
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from adapters.dynamodb.log_reading.landmarks import Landmarks, Mark

Marks = list[Mark]


def marks(steps: list[tuple[int, int]]) -> Marks:
    """Marks of so many places each, so much later than the one before."""
    made = [Mark(-1, 0, 0)]
    for places, later in steps:
        last = made[-1]
        made.append(Mark(max(last.at, 0) + later, last.last + 1, last.last + places))
    return made[1:]


def found(known: Landmarks, order: Marks, at: int) -> tuple[int, int]:
    """The last place reached by then, and how many looks it took."""
    looks = 0

    async def look(place: int) -> Mark:
        nonlocal looks
        looks += 1
        return order[bisect_right(order, place, key=lambda mark: mark.first) - 1]

    last = asyncio.run(known.last_by(at, Mark(-1, 0, 0), order[-1], look))
    return last.last, looks


def expected(order: Marks, at: int) -> int:
    return max((mark.last for mark in order if mark.at <= at), default=0)


@given(
    st.lists(st.tuples(st.integers(1, 30), st.integers(0, 9)), min_size=1, max_size=60),
    st.lists(st.integers(0, 300), min_size=1, max_size=20),
    st.integers(1, 20),
)
def test_it_is_the_last_one_by_then_whatever_was_asked_before(
    steps: list[tuple[int, int]], moments: list[int], most: int
) -> None:
    order, known = marks(steps), Landmarks(most)
    for at in moments:
        if at < order[-1].at:
            assert found(known, order, at)[0] == expected(order, at)


def test_what_comes_evenly_is_estimated() -> None:
    dice = Random(5)
    order = marks([(dice.randint(1, 40), dice.randint(900, 1_100)) for _ in range(100_000)])
    known = Landmarks()
    looks = [found(known, order, dice.randrange(order[-1].at))[1] for _ in range(100)]
    assert sum(looks[-50:]) / 50 < 6  # Halving takes seventeen.


def test_what_comes_in_bursts_takes_no_more_than_twice_as_many_as_halving() -> None:
    order = marks([(1, 1 if n % 1_000 else 10_000_000) for n in range(16_384)])
    for at in (5, 10_000_500, 160_000_000):
        assert found(Landmarks(), order, at)[1] <= 28


def test_what_was_asked_before_takes_no_look() -> None:
    order, known = marks([(3, 7)] * 1_000), Landmarks()
    first = found(known, order, 3_500)
    assert found(known, order, 3_500) == (first[0], 0)
    assert first[1] > 0
