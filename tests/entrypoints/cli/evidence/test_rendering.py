"""What people are told of the archive and the cache, and what they can do about it."""

from typing import Any

import pytest

from entrypoints.cli.evidence.rendering import verified

REPLAY = "`statestore replay evidence`"
REPAIR = "`statestore verify evidence --repair`"


def lines(**more: Any) -> list[str]:
    found = {
        "archive": {"objects": 1, "items": 2, "faults": []},
        "differences": [],
        "counts": {},
        "compared": 2,
        "cache_fault": None,
        "undecided": 0,
        "kept_again": 0,
        "cache_rebuilt": False,
        "cut_short": False,
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
        ({"counts": {"different": 1}}, REPAIR),
        ({"counts": {"lost": 1}}, REPLAY),
        ({"cache_fault": "a page is malformed", "cut_short": True}, REPLAY),
    ],
)
def test_what_can_be_done_is_told_so_that_it_can_be_copied(
    found: dict[str, Any], advice: str
) -> None:
    assert [line for line in lines(**found) if advice in line]
    assert not [line for line in lines(**found) if "nothing is wrong" in line][1:]


FAULT = {"object": "batches/1", "because": "a bit is flipped"}


@pytest.mark.parametrize(
    "found",
    [{"undecided": 3}, {"archive": {"objects": 1, "items": 2, "faults": [FAULT]}}],
)
def test_while_the_archive_is_damaged_nothing_else_is_advised(found: dict[str, Any]) -> None:
    told = lines(**found, counts={"different": 1})
    assert "nothing was thrown away: the cache may have the only copy" in told
    assert not [line for line in told if "statestore" in line]
