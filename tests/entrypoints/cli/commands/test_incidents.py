"""`statestore incidents`: the everyday operations without curl."""

import io
from datetime import UTC, datetime, timedelta

import pytest
from rich.console import Console

from domain.timestamps import stamp
from entrypoints.cli.rendering.incidents import drawn_incident
from entrypoints.cli.rendering.screen import Screen
from tests.entrypoints.cli.commands.shell import Shell
from tests.entrypoints.support.reports import dataset

ORDERS = "urn:dp:orders:order_created:v1"


def opened(shell: Shell, name: str, severity: str = "SEV_2") -> str:
    if not shell.api("GET", "/datasets")["datasets"]:
        shell.api("POST", "/datasets", dataset(ORDERS, owner_team="orders"))
    body = {
        "incident_id": name,
        "primary_dataset_urn": ORDERS,
        "signal_types": ["CONTRACT_COMPLIANCE"],
        "severity": severity,
        "failure_signatures": [f"MISSING_FIELD:{name}"],
    }
    assert not shell.api("POST", "/incidents", body)["joined"]
    return name


def test_an_incident_is_looked_after_from_the_terminal(shell: Shell) -> None:
    """S0-164..S0-166, S0-322."""
    name = opened(shell, "INC-1")
    assert f"{name} is ▲ ACKNOWLEDGED" in shell.out("incidents", "ack", name)
    assert "joe is on call" in shell.out("incidents", "assign", name, "joe")
    assert "SEV_1" in shell.out("incidents", "severity", name, "sev_1")
    shell.out("incidents", "note", name, "the field is gone")
    shell.out("incidents", "explain", name, "v3.17 dropped it")
    why = ["--root-cause", "v3.17", "--reason", "rolled_back", "--mitigation", "v3.16 again"]
    assert "RESOLVED" in shell.out("incidents", "resolve", name, *why)
    now = shell.api("GET", f"/incidents/{name}")
    assert now["rca_summary"] == "v3.17 dropped it"
    assert now["resolution"]["reason"] == "ROLLED_BACK"
    assert now["resolution"]["mitigation"] == "v3.16 again"
    shown = shell.out("incidents", "show", name)
    happened = [line.split()[2] for line in shown.splitlines() if " admin " in line]
    assert happened == [
        "OPENED",
        "ACKNOWLEDGED",
        "ASSIGNED",
        "SEVERITY_CHANGED",
        "NOTE_ADDED",
        "RCA_SUMMARIZED",
        "RESOLVED",
    ]
    assert "the field is gone" in shown
    assert "is ✖ OPEN" in shell.out("incidents", "reopen", name, "--reason", "again")


def test_an_incident_is_snoozed_and_woken(shell: Shell) -> None:
    name = opened(shell, "INC-7")
    assert "snoozed until 20" in shell.out("incidents", "snooze", name, "--for", "4h")
    until = datetime.fromisoformat(shell.api("GET", f"/incidents/{name}")["snoozed_until"])
    assert timedelta(hours=3) < until - datetime.now(UTC) <= timedelta(hours=4)
    later = stamp(until + timedelta(hours=1))
    shell.out("incidents", "snooze", name, "--until", later, "--reason", "deploying")
    assert later in shell.out("incidents", "show", name)
    (line,) = [line for line in shell.out("incidents").splitlines() if f" {name} " in line]
    assert "OPEN (snoozed)" in line
    assert "snoozed" not in shell.out("incidents", "unsnooze", name)
    assert shell.run("incidents", "snooze", name, "--for", "soon").exit_code == 2
    assert shell.run("incidents", "snooze", name).exit_code == 2
    assert shell.run("incidents", "snooze", name, "--until", "2020-01-01T00:00:00Z").exit_code == 1


def test_two_incidents_are_one_and_two_again(shell: Shell) -> None:
    cause, effect = opened(shell, "INC-8"), opened(shell, "INC-9")
    assert "merged into INC-8" in shell.out("incidents", "merge", effect, cause)
    shown = shell.out("incidents", "show", cause)
    assert "MISSING_FIELD:INC-9" in shown
    assert any(line.split() == ["merged", "with", "it", effect] for line in shown.splitlines())
    assert "is ✖ OPEN" in shell.out("incidents", "split", effect, "--reason", "two causes")


def test_nobody_is_on_call_any_more(shell: Shell) -> None:
    name = opened(shell, "INC-2")
    shell.out("incidents", "assign", name, "joe")
    shell.out("incidents", "assign", name)
    assert shell.api("GET", f"/incidents/{name}")["oncall_user"] is None


def test_json_is_the_answer_of_the_api(shell: Shell) -> None:
    name = opened(shell, "INC-3")
    assert shell.json("incidents", "ack", name) == shell.api("GET", f"/incidents/{name}")
    shown = shell.json("incidents", "show", name)
    assert shown["incident"] == shell.api("GET", f"/incidents/{name}")
    assert shown["timeline"] == shell.api("GET", f"/incidents/{name}/timeline")["timeline"]
    assert shell.json("incidents", "impact", name)["incident_id"] == name
    assert shell.json("incidents") == shell.api("GET", "/incidents?page_size=50")


def test_lists_are_filtered(shell: Shell) -> None:
    """S0-159..S0-162."""
    bad, worse = opened(shell, "INC-5", "SEV_3"), opened(shell, "INC-6", "SEV_1")
    shell.out("incidents", "ack", worse)

    def found(*words: str) -> set[str]:
        return {one["incident_id"] for one in shell.json("incidents", *words)["incidents"]}

    both = {bad, worse}
    assert found("--status", "acknowledged") & both == {worse}
    assert found("--status", "open", "--status", "acknowledged") & both == both
    assert found("--severity", "SEV_3") & both == {bad}
    assert found("--dataset", ORDERS, "--owner", "orders") & both == both
    assert found("--owner", "others") == set()
    opened_at = shell.json("incidents", "show", worse)["incident"]["created_at"]
    assert found("--from", opened_at) & both == {worse}
    assert found("--to", "2020-01-01T00:00:00Z") == set()
    assert found("--limit", "1", "--all") >= both
    assert len(found("--limit", "1")) == 1


@pytest.mark.parametrize(
    ("name", "seconds", "told"),
    [("INC-10", 0.0, "less than 1 s"), ("INC-11", 0.9, "less than 1 s"), ("INC-12", 90.0, "1 min")],
)
def test_how_long_it_took_to_notice(shell: Shell, name: str, seconds: float, told: str) -> None:
    shown = shell.json("incidents", "show", opened(shell, name))
    shown["incident"]["mtta_seconds"] = seconds
    out = io.StringIO()
    Console(file=out, width=200).print(drawn_incident(shown, Screen(datetime.now(UTC))))
    assert f"noticed in {told}" in " ".join(out.getvalue().split())


def test_what_is_not_possible_is_told_and_is_a_failure(shell: Shell) -> None:
    name = opened(shell, "INC-4")
    shell.out("incidents", "resolve", name, "--root-cause", "x")
    ended = shell.run("incidents", "ack", name)
    assert (ended.exit_code, ended.stdout) == (1, "")
    assert "RESOLVED" in ended.stderr


def test_wrong_use_is_told_before_anyone_is_asked(shell: Shell) -> None:
    assert shell.run("incidents", "severity", "INC-1", "SEV_9").exit_code == 2
    assert shell.run("incidents", "resolve", "INC-1").exit_code == 2
    assert shell.run("incidents", "INC-1").exit_code == 2
