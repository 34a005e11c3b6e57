"""Two checkouts are measured in turns, and what is worse by more than the noise is found."""

import io
from collections.abc import Callable, Sequence
from math import inf

import pytest
from rich.console import Console

from benchmarks.measuring.comparison import (
    Compared,
    Comparison,
    Results,
    compare,
    compared,
    show_comparison,
    show_verdict,
)
from benchmarks.measuring.figures import Better
from benchmarks.measuring.results import Result


def rate(here: Sequence[float], there: Sequence[float], noise: float = 0.1) -> Compared:
    return Compared("updates.callers", "/s", Better.HIGHER, here, there, noise)


def cost(here: Sequence[float], there: Sequence[float], noise: float = 0.1) -> Compared:
    return Compared("updates.cost", "µs", Better.LOWER, here, there, noise)


def results(**values: float) -> Results:
    return {id_: Result(value, "µs", Better.LOWER) for id_, value in values.items()}


def printed(show: Callable[[Console], object]) -> str:
    output = io.StringIO()
    show(Console(file=output, width=150))
    return output.getvalue()


def test_turns_alternate() -> None:
    taken = []

    def turn(where: str) -> Results:
        taken.append(where)
        return results(cost=1.0)

    compare("updates", lambda: turn("A"), lambda: turn("B"), turns=4, noise=0.1)
    assert "".join(taken) == "ABBAABBA"


def test_values_of_a_turn_stay_with_their_checkout() -> None:
    here, there = iter([1.0, 2.0, 3.0]), iter([10.0, 20.0, 30.0])
    found = compare(
        "updates",
        lambda: results(cost=next(here)),
        lambda: results(cost=next(there)),
        turns=3,
        noise=0.1,
    )
    (one,) = found.figures
    assert (one.here, one.there) == ([1.0, 2.0, 3.0], [10.0, 20.0, 30.0])


def test_the_ratio_is_that_of_the_medians_and_the_spread_that_of_the_pairs() -> None:
    one = cost([100, 110, 190], [100, 100, 95])
    assert one.ratio == 1.1
    assert one.spread == (1.0, 2.0)


@pytest.mark.parametrize(
    ("one", "is_worse", "is_better"),
    [
        (cost([111, 111, 111], [100, 100, 100]), True, False),
        (cost([109, 109, 109], [100, 100, 100]), False, False),
        (cost([90, 90, 90], [100, 100, 100]), False, True),
        (rate([90, 90, 90], [100, 100, 100]), True, False),
        (rate([92, 92, 92], [100, 100, 100]), False, False),
        (rate([111, 111, 111], [100, 100, 100]), False, True),
        (cost([120, 120, 120], [100, 100, 100], noise=0.25), False, False),
    ],
)
def test_what_differs_by_more_than_the_noise_is_worse_or_better(
    one: Compared, is_worse: bool, is_better: bool
) -> None:
    assert (one.is_worse, one.is_better) == (is_worse, is_better)


def test_turns_of_one_checkout_that_lie_apart_are_noise() -> None:
    one = cost([120, 120, 120], [80, 100, 140])
    assert one.noise == 0.3
    assert not one.is_worse


def test_nothing_on_both_sides_is_equal_and_something_against_nothing_is_worse() -> None:
    assert cost([0, 0, 0], [0, 0, 0]).ratio == 1
    assert not cost([0, 0, 0], [0, 0, 0]).is_worse
    assert cost([1, 1, 1], [0, 0, 0]).ratio == inf
    assert cost([1, 1, 1], [0, 0, 0]).is_worse
    assert cost([0, 0, 0], [1, 1, 1]).is_better


def test_figures_of_one_checkout_alone_are_named_and_not_compared() -> None:
    here = [results(both=1, new=1)] * 3
    there = [results(both=1, gone=1), results(both=1, gone=1), results(both=1, gone=1)]
    found = compared("updates", here, there, 0.1)
    assert [one.id for one in found.figures] == ["both"]
    assert (found.only_here, found.only_there) == (["new"], ["gone"])
    shown = printed(lambda console: show_comparison(found, console))
    assert "only here: new" in shown
    assert "only there: gone" in shown


def test_both_figures_the_ratio_the_spread_and_the_noise_are_printed() -> None:
    one = cost([1_100, 1_210, 1_200], [1_000, 1_000, 1_000])
    shown = printed(lambda console: show_comparison(Comparison("updates", [one], [], []), console))
    row = next(line for line in shown.splitlines() if "updates.cost" in line)
    assert " ".join(row.split()) == "updates.cost 1,200 µs 1,000 µs 1.20 1.10–1.21 10% worse"


def test_the_exit_code_tells_whether_anything_is_worse() -> None:
    fine = Comparison("reads", [cost([1, 1, 1], [1, 1, 1])], [], [])
    worse = Comparison("updates", [cost([2, 2, 2], [1, 1, 1])], [], [])
    console = Console(file=io.StringIO())
    assert show_verdict([fine], [], console) == 0
    assert show_verdict([fine, worse], [], console) == 1
    assert show_verdict([fine], ["evidence"], console) == 2
    shown = printed(lambda console: show_verdict([fine, worse], ["evidence"], console))
    assert "1 of 2 figures are worse here" in shown
    assert "updates.cost: 2.00, noise 10%" in shown
    assert "not measured in both: evidence" in shown
