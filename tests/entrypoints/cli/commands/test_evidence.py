"""`statestore evidence`."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.timestamps import stamp
from tests.entrypoints.cli.commands.shell import Shell
from tests.entrypoints.support.sample_evidence import evidence, named

ORDERS = "urn:dp:orders:order_created:v1"


@pytest.fixture(autouse=True)
def some_evidence(shell: Shell) -> None:
    """Of half an hour, of three hours and of two days ago."""
    ages = (timedelta(minutes=30), timedelta(hours=3), timedelta(days=2))
    now = datetime.now(UTC)
    items = [evidence(n, created_at=stamp(now - age)) for n, age in enumerate(ages)]
    shell.api("POST", "/evidence", items)


def listed(shell: Shell, *words: str) -> list[str]:
    told = shell.json("evidence", "list", ORDERS, *words)
    return [one["evidence_id"] for one in told["evidence"]]


def test_one_is_shown(shell: Shell) -> None:
    shown = shell.out("evidence", "show", named(0))
    for said in ("FAIL", "MISSING_FIELD:customer_id", "G4_CONTRACT", "orders-svc v3.17", "812"):
        assert said in shown
    told = shell.api("GET", f"/evidence/{named(0)}")
    assert shell.json("evidence", "show", named(0)) == told


def test_what_nobody_knows_ends_with_1(shell: Shell) -> None:
    assert shell.run("evidence", "show", named(99)).exit_code == 1
    assert shell.run("evidence", "show", "evd-1").exit_code == 1
    assert shell.run("evidence", "list", "orders").exit_code == 1


def test_a_dataset_is_listed_by_age(shell: Shell) -> None:
    assert listed(shell) == [named(0), named(1)]
    assert listed(shell, "--since", "2h") == [named(0)]
    assert listed(shell, "--since", "3d") == [named(0), named(1), named(2)]
    assert listed(shell, "--since", "3d", "--limit", "1") == [named(0)]
    assert named(0) in shell.out("evidence", "list", ORDERS)
    other = shell.out("evidence", "list", "urn:dp:a:b:v1")
    assert "There is no evidence of that time." in other


def test_what_is_no_span(shell: Shell) -> None:
    ended = shell.run("evidence", "list", ORDERS, "--since", "soon")
    assert ended.exit_code == 2
    assert "30min" in ended.output
