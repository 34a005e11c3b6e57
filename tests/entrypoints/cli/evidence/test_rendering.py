"""What people are told of the archive and the cache, and what they can do about it."""

from typing import Any

import pytest

from entrypoints.cli.evidence.rendering import verified

ACCEPT_LOSS = "`statestore rebuild evidence --accept-loss`"
REPAIR = "`statestore verify evidence --repair`"


def lines(**more: Any) -> list[str]:
    found = {
        "archive": {"objects": 1, "items": 2, "faults": []},
        "differences": [],
        "counts": {},
        "compared": 2,
        "cache_fault": None,
        "undecided": 0,
        "sound": not more,
        "repaired": False,
        "seconds": 0.1,
    }
    return [*verified({**found, **more})]


def test_nothing_is_wrong() -> None:
    assert "cache: 2 items compared, nothing is wrong" in lines()
    assert not [line for line in lines() if "`" in line]


@pytest.mark.parametrize(
    ("found", "advice"),
    [
        ({"cache_fault": "a page is malformed"}, REPAIR),
        ({"counts": {"differing": 1}}, REPAIR),
        ({"counts": {"missing_in_cache": 1, "damaged": 1}}, REPAIR),
        ({"counts": {"missing_in_archive": 1, "differing": 1}}, ACCEPT_LOSS),
    ],
)
def test_what_can_be_done_is_told_so_that_it_can_be_copied(
    found: dict[str, Any], advice: str
) -> None:
    assert [line for line in lines(**found) if advice in line]
    assert not [line for line in lines(**found) if "nothing is wrong" in line][1:]


FAULT = {"object": "batches/1", "reason": "a bit is flipped"}


@pytest.mark.parametrize(
    "found",
    [{"undecided": 3}, {"archive": {"objects": 1, "items": 2, "faults": [FAULT]}}],
)
def test_while_the_archive_is_damaged_nothing_else_is_advised(found: dict[str, Any]) -> None:
    told = lines(**found, counts={"differing": 1})
    assert "nothing was dropped: the cache may have the only copy" in told
    assert not [line for line in told if "statestore" in line]


def test_what_was_repaired_needs_nothing_more() -> None:
    told = lines(counts={"differing": 1}, repaired=True)
    assert "the cache was filled anew" in told
    assert not [line for line in told if "`" in line]
