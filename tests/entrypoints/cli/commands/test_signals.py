"""`statestore signals`: the answers of the API, readable."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.timestamps import stamp
from tests.entrypoints.cli.commands.shell import Shell
from tests.entrypoints.support.reports import dataset, report

ORDERS = "urn:dp:orders:order_created:v1"
CLICKS = "urn:dp:marketing:clicks:v1"


@pytest.fixture(autouse=True)
def some_signals(shell: Shell) -> None:
    if any(shell.api("GET", "/datasets")["datasets"]):
        return
    shell.api("POST", "/datasets", dataset(ORDERS, owner_team="orders"))
    shell.api("POST", "/datasets", dataset(CLICKS, tier="TIER_3", owner_team="marketing"))
    for urn, kind, state in (
        (ORDERS, "CONTRACT_COMPLIANCE", "CRITICAL"),
        (ORDERS, "VOLUME", "OK"),
        (CLICKS, "FRESHNESS", "WARNING"),
        (CLICKS, "VOLUME", "UNKNOWN"),
    ):
        shell.api("PUT", f"/datasets/{urn}/signals/{kind}", report(1, 0, state))


def test_the_noun_alone_lists_the_worst_first(shell: Shell) -> None:
    lines = shell.out("signals").splitlines()
    assert "CRITICAL" in lines[2]
    assert ORDERS in lines[2]
    assert "WARNING" in lines[3]
    assert len(lines) == 4
    assert shell.out("signals").split() == shell.out("signals", "list").split()


def test_json_is_the_answer_of_the_api(shell: Shell) -> None:
    assert shell.json("signals") == shell.api("GET", "/signals?page_size=50")
    path = f"/datasets/{ORDERS}/signals"
    assert shell.json("signals", "show", ORDERS) == shell.api("GET", path)
    assert shell.json("signals", "show", ORDERS, "VOLUME") == shell.api("GET", f"{path}/VOLUME")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["--state", "critical"], [ORDERS]),
        (["--state", "UNKNOWN", "--state", "WARNING"], [CLICKS, CLICKS]),
        (["--tier", "TIER_1"], [ORDERS]),
        (["--owner", "marketing"], [CLICKS]),
        (["--limit", "1"], [ORDERS]),
        (["--limit", "1", "--all"], [ORDERS, CLICKS]),
    ],
)
def test_filters_and_limits(shell: Shell, words: list[str], found: list[str]) -> None:
    signals = shell.json("signals", *words)["signals"]
    assert [one["dataset_urn"] for one in signals] == found


def test_a_list_that_goes_on_says_so(shell: Shell) -> None:
    assert "--all" in shell.out("signals", "--limit", "1")
    assert "--all" not in shell.out("signals")


def test_one_signal_shows_what_is_wrong_and_who_did_it(shell: Shell) -> None:
    shown = shell.out("signals", "show", ORDERS, "CONTRACT_COMPLIANCE")
    for part in ("✖ CRITICAL", "LATE_DATA:processed_at", "svc v1", "5 of 10 failed"):
        assert part in shown


def test_history_ends_with_the_latest(shell: Shell) -> None:
    """Of the windows of the last hours; what is older is left out."""
    now = datetime.now(UTC)
    urn = "urn:dp:orders:history:v1"
    shell.api("POST", "/datasets", dataset(urn))
    for hours in (30, 3, 2, 1):
        end = now - timedelta(hours=hours)
        times = {"window_start": stamp(end - timedelta(minutes=5)), "window_end": stamp(end)}
        shell.api("PUT", f"/datasets/{urn}/signals/VOLUME", report(0, -1, "OK", **times))
    ends = [stamp(now - timedelta(hours=hours)) for hours in (3, 2, 1)]
    latest = shell.json("signals", "history", urn, "VOLUME", "--limit", "2")["evaluations"]
    assert [one["window_end"] for one in latest] == ends[1:]
    shown = shell.out("signals", "history", urn, "VOLUME", "--all")
    assert [line.split()[0] for line in shown.splitlines()[2:]] == ends


def test_a_dataset_nobody_knows(shell: Shell) -> None:
    ended = shell.run("signals", "show", "urn:dp:a:b:v1")
    assert ended.exit_code == 1
    assert "urn:dp:a:b:v1" in ended.stderr


def test_a_name_cannot_become_another_path(shell: Shell) -> None:
    """A question mark in an argument is part of the name."""
    ended = shell.run("signals", "show", ORDERS, "VOLUME?")
    assert ended.exit_code == 1
    assert ended.stdout == ""
