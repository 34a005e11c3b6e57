"""`statestore datasets` and `statestore lineage`."""

from typing import Any

import pytest

from tests.entrypoints.cli.commands.shell import Shell
from tests.entrypoints.support.reports import dataset, report

ORDERS = "urn:dp:orders:order_created:v1"
REVENUE = "urn:dp:finance:revenue:v1"
COLUMN = f"urn:col:{ORDERS}:customer_id"


@pytest.fixture(autouse=True)
def a_platform(shell: Shell) -> None:
    if shell.api("GET", "/datasets")["datasets"]:
        return
    contract = {"contract_id": "dc:orders:1", "required_fields": ["customer_id"]}
    shell.api("POST", "/datasets", dataset(ORDERS, contract_binding=contract))
    shell.api("POST", "/datasets", dataset(REVENUE, tier="TIER_2", owner_team="finance"))
    rule = {"topic_pattern": "raw.orders", "resolution_type": "EXACT"}
    shell.api("POST", f"/datasets/{ORDERS}/resolution-rules", rule)
    job = {"entity_id": "job:revenue", "entity_name": "revenue", "entity_type": "JOB"}
    spec: dict[str, Any] = {
        "column_reads": [{"column_urn": COLUMN, **job}],
        "dataset_writes": [{"dataset_urn": REVENUE, **job}],
        "confidence": "HIGH",
        "commit": "9f31c2d",
        "updated_at": "2026-01-16T11:30:00.000Z",
        "ttl_seconds": 300_000_000,
    }
    shell.api("PUT", "/lineage/specs/lspec:job:revenue:git:9f31c2d", spec)
    shell.api("PUT", f"/datasets/{ORDERS}/signals/VOLUME", report(1, 0, "CRITICAL"))


def test_datasets_are_listed_and_filtered(shell: Shell) -> None:
    assert shell.json("datasets") == shell.api("GET", "/datasets?page_size=50")
    shown = shell.out("datasets", "--owner", "finance")
    assert REVENUE in shown
    assert ORDERS not in shown
    assert shell.json("datasets", "--tier", "tier_2")["datasets"][0]["dataset_urn"] == REVENUE
    assert shell.json("datasets", "--retired")["datasets"] == []


def test_what_is_agreed_about_a_dataset(shell: Shell) -> None:
    assert "customer_id" in shell.out("datasets", "show", ORDERS)
    assert shell.json("datasets", "show", ORDERS) == shell.api("GET", f"/datasets/{ORDERS}")
    assert shell.run("datasets", "show", ORDERS, "--version", "7").exit_code == 1


def test_what_enforcers_are_told(shell: Shell) -> None:
    """S0-247, S0-249"""
    shown = shell.out("datasets", "policy", ORDERS)
    assert "dc:orders:1" in shown
    assert "customer_id" in shown
    assert shell.json("datasets", "policy", ORDERS) == shell.api("GET", f"/policies/{ORDERS}")
    nowhere = "urn:dp:orders:unheard_of:v1"
    assert "let records pass and warn" in shell.out("datasets", "policy", nowhere)
    strict = shell.out("datasets", "policy", nowhere, "--fallback-on-miss", "fail")
    assert "let records fail" in strict
    assert shell.run("datasets", "policy", nowhere, "--fallback-on-miss", "shrug").exit_code == 2
    assert shell.run("datasets", "policy", "nonsense").exit_code == 1


def test_how_a_dataset_is(shell: Shell) -> None:
    shown = shell.out("datasets", "health", ORDERS)
    assert shown.count("✖ CRITICAL") == 2
    assert shell.json("datasets", "health", ORDERS)["counts"]["CRITICAL"] == 1


def test_which_dataset_a_topic_belongs_to(shell: Shell) -> None:
    shown = shell.out("datasets", "resolve", "raw.orders", "--payload", '{"customer_id": 1}')
    assert shown.splitlines()[0] == ORDERS
    broken = shell.json("datasets", "resolve", "raw.orders", "--payload", "{}")
    assert [one["field"] for one in broken["contract_violations"]] == ["customer_id"]
    assert "No rule" in shell.out("datasets", "resolve", "raw.other")
    ended = shell.run("datasets", "resolve", "raw.orders", "--payload", "{")
    assert (ended.exit_code, ended.stdout) == (2, "")


def test_who_reads_and_writes(shell: Shell) -> None:
    """S0-112..S0-120."""
    assert "job:revenue" in shell.out("lineage", "readers", COLUMN)
    assert "job:revenue" in shell.out("lineage", "readers", ORDERS)
    assert "job:revenue" in shell.out("lineage", "writers", REVENUE)
    assert "Nobody" in shell.out("lineage", "writers", ORDERS)
    path = f"/columns/{COLUMN}/readers?page_size=50"
    assert shell.json("lineage", "readers", COLUMN) == shell.api("GET", path)


def test_what_lies_downstream(shell: Shell) -> None:
    shown = shell.out("lineage", "impact", ORDERS, "--column", "customer_id")
    assert REVENUE in shown
    assert "TIER_2" in shown
    nothing = shell.out("lineage", "impact", ORDERS, "--column", "other")
    assert "Nothing" in nothing
    impact = shell.json("lineage", "impact", ORDERS, "--depth", "1")
    assert (impact["depth"], [one["entity_id"] for one in impact["entities"]]) == (
        1,
        ["job:revenue"],
    )
