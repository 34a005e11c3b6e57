"""Figures have ids that stay the same, and come back from JSON as they were."""

import json

import pytest

from benchmarks.measuring import results
from benchmarks.measuring.figures import Better, Figure, Section, Target, compared, higher, lower
from benchmarks.measuring.results import Result


def section(*figures: Figure) -> Section:
    return Section("updates: embedded", "the library", figures)


def ids(*figures: Figure) -> list[str]:
    return [id_ for id_, _ in results.identified("updates", section(*figures))]


def test_an_id_is_made_of_the_section_and_what_the_figure_is_called() -> None:
    assert ids(Figure("64 callers, one update a call", "1")) == [
        "updates.64-callers-one-update-a-call"
    ]


def test_what_continues_a_figure_belongs_to_it() -> None:
    found = ids(
        Figure("64 callers", "1"),
        Figure("… latency P50 / P99", "1"),
        Figure("1 caller", "1"),
        Figure("… latency P50 / P99", "1"),
    )
    assert found[1] == "updates.64-callers.latency-p50-p99"
    assert found[3] == "updates.1-caller.latency-p50-p99"


def test_how_much_was_measured_is_no_part_of_an_id() -> None:
    quick, full = (
        Figure("read and fold 10,050 events", "1"),
        Figure("read and fold 50,250 events", "1"),
    )
    assert ids(quick) == ids(full) == ["updates.read-and-fold-events"]


def test_no_two_ids_are_alike() -> None:
    assert ids(Figure("one", "1"), Figure("one", "1"), Figure("… of it", "1")) == [
        "updates.one",
        "updates.one-2",
        "updates.one-2.of-it",
    ]


def test_a_figure_that_is_called_otherwise_keeps_its_id() -> None:
    assert ids(Figure("many callers", "1", id="64-callers")) == ["updates.64-callers"]


def test_measures_come_back_from_the_last_line() -> None:
    both = section(
        Figure("rate", "1,234 /s", measures=(higher(1234.5, "/s"), lower(2.5, "ms", "p99"))),
        Figure("the client's share", "12 %"),
    )
    printed = f"something that a library printed\n{results.written({'updates': both}, 'quick')}\n"
    assert results.read(printed) == {
        "updates.rate": Result(1234.5, "/s", Better.HIGHER),
        "updates.rate.p99": Result(2.5, "ms", Better.LOWER),
    }


def test_a_contest_is_measured_by_our_median_and_by_its_ratio() -> None:
    figure = compared("rate", [10, 30, 20], [5, 5, 5], unit="updates/s", target=Target(4))
    assert figure.measures == (
        higher(20, "updates/s"),
        higher(4, "", "ratio"),
    )
    assert compared("cost", [1], [2], unit="µs").measures[0].better is Better.LOWER


def test_json_names_the_target_and_whether_it_was_missed() -> None:
    missed = section(Figure("rate", "1 /s", ratio=0.5, target=Target(1)))
    told = json.loads(results.written({"updates": missed}, "full"))
    (figure,) = told["sections"][0]["figures"]
    assert (figure["target"], figure["missed"]) == ("≥ 1", True)


@pytest.mark.parametrize("printed", ["", "Traceback", '{"format": 99, "sections": []}', "[]"])
def test_what_holds_no_figures_is_refused(printed: str) -> None:
    with pytest.raises(ValueError, match=r"format|Expecting"):
        results.read(printed)
