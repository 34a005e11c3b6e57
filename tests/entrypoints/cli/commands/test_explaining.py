"""`statestore incidents explain`: for whoever is woken by an incident."""

import io
import json
from datetime import timedelta
from typing import Any

from rich.console import Console

from domain.root_cause.suspects import Clues, Deployed, suspicion
from domain.timestamps import stamp
from entrypoints.cli.rendering.contexts import drawn_context
from entrypoints.cli.rendering.screen import Screen
from tests.entrypoints.cli.commands.shell import Shell
from tests.entrypoints.cli.commands.test_incidents import opened
from tests.entrypoints.http.api import NOON, serving
from tests.entrypoints.http.incidents.test_context import ENOUGH, told_of


def drawn(answer: dict[str, Any]) -> str:
    page = io.StringIO()
    Console(file=page, width=80).print(
        drawn_context(answer, Screen(NOON + timedelta(hours=2), width=80))
    )
    return page.getvalue()


def explained() -> dict[str, Any]:
    with serving("memory", **ENOUGH) as api:
        told: dict[str, Any] = api.get(told_of(api)).json()
    return told


def test_the_cause_comes_first_and_times_count_from_the_breach() -> None:
    shown = drawn(explained())
    assert all(len(line) <= 80 for line in shown.splitlines())
    sections = [line for line in shown.splitlines() if line and not line.startswith(" ")]
    assert sections[-9:] == [
        "Most likely cause",
        "How it came to fail",
        "Deployed around the breach",
        "Changed around the breach",
        "Evidence",
        "Written by",
        "Read by",
        "Reaches",
        "Also open",
    ]
    assert "Most likely orders-svc v3.17: it stopped writing customer_id with bad." in shown
    assert "service:orders-svc bad, 8 min before the breach" in shown
    assert "no longer writes orders:order_created:v1:customer_id" in shown
    assert "CRITICAL  window began when the breach began" in shown
    assert "1 more named, but nowhere to be found" in shown
    assert "of another dataset" not in shown


def test_a_deploy_is_told_with_the_same_minutes_everywhere() -> None:
    """In the list of deploys as in the reasons for the cause."""
    told, at = explained(), NOON - timedelta(minutes=7, seconds=40)
    clues = Clues(NOON, deploys=[Deployed("orders-svc", "bad", at)])
    (suspect,) = suspicion(clues).suspects
    assert [one.sentence for one in suspect.reasons] == ["deployed bad 7 min before the breach"]
    told["deploys"]["deploys"][-1]["at"] = stamp(at)
    assert "service:orders-svc bad, 7 min before the breach" in drawn(told)


def test_what_did_not_answer_is_named() -> None:
    told = explained()
    missing = [{"part": "readers", "code": "TIMED_OUT", "reason": "it did not come in time"}]
    shown = drawn({**told, "breach": None, "readers": None, "missing": missing})
    assert "Not complete: these did not answer" in shown
    assert "readers: it did not come in time" in shown
    assert "Read by" not in shown


def test_the_opening_is_not_taken_for_the_breach() -> None:
    told = explained()
    away = {"breach": None, "blast_radius_at_opening": None, "blast_radius_current": None}
    shown = drawn({**told, **away})
    assert "when the breach began is not known now" in shown
    assert f"opened {told['opened_at']} (" in shown
    assert "breach began 20" not in shown
    assert "after the breach" not in shown
    assert "before it was opened" in shown
    assert [line for line in shown.splitlines() if line.endswith("not known")] == [
        "  at opening: not known",
        "  now: not known",
    ]


def test_what_was_not_looked_at_is_told() -> None:
    told = explained()
    assert "earlier" not in drawn(told)
    assert "or more" not in drawn(told)
    for part in (told["deploys"], told["config_changes"], told["related"]):
        part["more"] = True
    told["signals"]["signals"][0]["more"] = True
    told["blast_radius_current"]["datasets"][0]["truncated"] = True
    told["deploys"]["deploys"] *= 4
    shown = drawn(told)
    assert "and 3 earlier: --json shows them" in shown
    assert shown.count("there may be earlier ones: there are too many to look at all") == 2
    assert "only the first 1 evaluations are known here" in shown
    assert "now: 0 or more downstream of orders:order_created:v1" in shown
    assert "there are so many open incidents that not all were looked at" in shown


def test_evidence_that_is_not_shown_and_whose_it_is() -> None:
    told = explained()
    told["evidence"]["evidence"][0]["dataset_urn"] = "urn:dp:sales:other:v1"
    assert drawn(told).count("of another dataset: sales:other:v1") == 1
    told["evidence"] = {**told["evidence"], "evidence": [], "unavailable_ids": ["evd-1", "evd-2"]}
    shown = drawn(told)
    assert "1 named, but nowhere to be found" in shown
    assert "2 named that could not be looked for" in shown


def test_the_command(shell: Shell) -> None:
    name = opened(shell, "INC-1")
    shown = shell.out("incidents", "explain", name)
    assert "Nothing points to a producer" in shown
    assert [line for line in shown.splitlines() if line != line.rstrip()] == []
    told = json.loads(shell.out("incidents", "explain", name, "--json"))
    assert told["incident_id"] == name
    shell.out("incidents", "explain", name, "v3.17 dropped it")
    assert shell.api("GET", f"/incidents/{name}")["rca_summary"] == "v3.17 dropped it"
