"""Numbers and what they count, wherever commands tell them."""

from datetime import timedelta

from attrs import evolve

from adapters.row_layouts.catalogue import EVIDENCE_CACHE
from domain.retention import KEPT_FOR
from entrypoints.cli.plurals import counted
from entrypoints.cli.read_models.rendering import verified
from entrypoints.cli.tables.rendering import kept


def test_one_is_not_several() -> None:
    assert [counted(number, "row") for number in (0, 1, 2, 1_200)] == [
        "0 rows",
        "1 row",
        "2 rows",
        "1,200 rows",
    ]


def test_how_long_rows_are_kept() -> None:
    told = {
        hours: kept(EVIDENCE_CACHE, evolve(KEPT_FOR, evidence=timedelta(hours=hours)))
        for hours in (1, 24, 25, 48)
    }
    assert told == {1: "1 hour", 24: "1 day", 25: "25 hours", 48: "2 days"}


def verdict(differing: int, *, more: bool = False) -> str:
    row = {"kind": "missing", "table": "t", "key": ["k"], "attributes": [], "facts": []}
    projection = {
        "projection": "signal-state",
        "events": 1,
        "sound": False,
        "differences": [row] * differing,
        "more_differences": more,
        "repaired_by_generation": None,
        "events_replayed_first": 0,
        "dropped_generations": [],
        "retained_generations": [],
        "retained_until": None,
    }
    *_, told, _ = verified({"projections": [projection], "seconds": 0.1})
    return told


def test_what_is_kept_is_told() -> None:
    sound = {
        "projection": "signal-state",
        "events": 1,
        "sound": True,
        "differences": [],
        "events_replayed_first": 0,
        "dropped_generations": [],
        "retained_generations": [1, 2],
        "retained_until": "2026-01-15T10:02:00.000Z",
    }
    told, _ = verified({"projections": [sound], "seconds": 0.1})
    assert told == (
        "signal-state: 1 event, nothing is wrong; "
        "kept until a verify after 2026-01-15T10:02:00.000Z: generation 1, 2"
    )


def test_what_differs_is_counted() -> None:
    assert verdict(1).startswith("signal-state: 1 event, 1 row differs;")
    assert verdict(2).startswith("signal-state: 1 event, 2 rows differ;")
    assert verdict(1, more=True).startswith("signal-state: 1 event, more than 1 row differ;")
