"""`statestore demo` on a real server: a platform, an incident that opens, spreads and heals."""

import io
import signal
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from domain.ids import SIGNAL_TYPES
from entrypoints.cli.demo.calls import Call, change
from entrypoints.cli.demo.demo import Pace
from entrypoints.cli.demo.progress import Narrator
from entrypoints.cli.demo.sender import Sender
from entrypoints.cli.running_server import RunningServer
from entrypoints.settings.loading import Settings
from tests.entrypoints.cli.commands.shell import TOKEN, Shell
from tests.entrypoints.support.server import PATIENCE, Server, command, environment

ORDERS = "urn:dp:orders:order_created:v1"
CONSUMERS = [
    "urn:dp:payments:fraud_scores:v1",
    "urn:dp:customers:customer_360:v1",
    "urn:dp:finance:revenue_daily:v1",
]
FAST = ("demo", "--once", "--speed", "1000")


@pytest.fixture(scope="module")
def summary(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Of the first run, which finds an empty store."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.chdir(tmp_path_factory.mktemp("demo"))
        monkeypatch.setenv("STATESTORE_ADMIN_TOKEN", TOKEN)
        return Shell(server, monkeypatch).json(*FAST)


def test_a_store_is_filled_with_a_platform(shell: Shell, summary: Any) -> None:
    datasets = shell.json("datasets", "--all")["datasets"]
    assert len(datasets) == summary["datasets"] == 40
    assert len({one["dataset_urn"].split(":")[2] for one in datasets}) == 6
    assert {one["tier"] for one in datasets} == {"TIER_1", "TIER_2", "TIER_3"}
    signals = [
        signal
        for one in datasets
        for signal in shell.api("GET", f"/datasets/{one['dataset_urn']}/signals")["signals"]
    ]
    assert {one["signal_type"] for one in signals} > set(SIGNAL_TYPES)
    assert {one["state"] for one in signals} == {"OK", "WARNING", "CRITICAL", "UNKNOWN"}
    assert summary["updates"] > 48 * len(signals)


def test_there_are_incidents_in_every_status(shell: Shell, summary: Any) -> None:
    incidents = shell.json("incidents", "--all")["incidents"]
    assert {one["status"] for one in incidents} == {"OPEN", "ACKNOWLEDGED", "RESOLVED"}
    reasons = {one["resolution"]["reason"] for one in incidents if one["resolution"]}
    assert {"FIXED", "EXPECTED_CHANGE", "SELF_HEALED", "FALSE_POSITIVE", "ROLLED_BACK"} <= reasons
    now = {one["incident_id"]: one["status"] for one in incidents}
    assert (now["INC-DEMO-7-1"], now["INC-DEMO-7-2"]) == ("ACKNOWLEDGED", "OPEN")
    assert [one["incident_id"] for one in incidents if one["snoozed_until"]] == ["INC-DEMO-7-1"]


def test_a_day_of_history_is_there(shell: Shell, summary: Any) -> None:
    history = shell.json("signals", "history", ORDERS, "VOLUME", "--all", "--hours", "24.5")
    ends = [one["window_end"] for one in history["evaluations"]]
    hours = datetime.fromisoformat(max(ends)) - datetime.fromisoformat(min(ends))
    assert hours >= timedelta(hours=23)


def test_the_incident_opens_spreads_and_heals(shell: Shell, summary: Any) -> None:
    main = shell.json("incidents", "show", summary["incidents"]["orders"])
    assert main["incident"]["severity"] == "SEV_1"
    assert main["incident"]["failure_signatures"][0] == "MISSING_FIELD:customer_id"
    assert main["incident"]["implicated_producer"]["version"] == "v3.17"
    assert main["incident"]["resolution"]["reason"] == "ROLLED_BACK"
    assert [entry["event_type"] for entry in main["timeline"]] == [
        "OPENED",
        "SIGNALS_ATTACHED",
        "SIGNATURES_ATTACHED",
        "ACKNOWLEDGED",
        "ASSIGNED",
        "NOTE_ADDED",
        "RCA_SUMMARIZED",
        "NOTE_ADDED",
        "RESOLVED",
    ]
    spread = [summary["incidents"][name] for name in ("fraud", "customers", "revenue")]
    cards = [shell.api("GET", f"/incidents/{one}") for one in spread]
    assert [one["primary_dataset_urn"] for one in cards] == CONSUMERS
    assert {one["status"] for one in cards} == {"RESOLVED"}


def test_the_states_tell_the_same_story(shell: Shell, summary: Any) -> None:
    path = f"/datasets/{ORDERS}/signals/CONTRACT_COMPLIANCE"
    assert shell.api("GET", path)["state"] == "OK"
    history = shell.json("signals", "history", ORDERS, "CONTRACT_COMPLIANCE", "--all")
    states = [
        one["state"] for one in history["evaluations"] if one["window_type"] == "SLIDING_5MIN"
    ]
    assert states[:17] == ["OK", "WARNING", *["CRITICAL"] * 9, "WARNING", *["OK"] * 5]


def test_who_suffered_lies_downstream_by_column(shell: Shell, summary: Any) -> None:
    impact = shell.json("lineage", "impact", ORDERS, "--column", "customer_id")
    assert set(CONSUMERS) <= {one["dataset_urn"] for one in impact["datasets"]}


def test_the_rollback_writes_the_column_again(shell: Shell, summary: Any) -> None:
    """What the deployment withdrew is declared again, by a later commit."""
    writers = shell.json("lineage", "writers", f"urn:col:{ORDERS}:customer_id")["writers"]
    assert [one["entity_id"] for one in writers] == ["service:orders-svc"]


def test_records_are_resolved_by_the_rules(shell: Shell, summary: Any) -> None:
    payload = '{"event_type": "order_created", "order_id": 1}'
    resolved = shell.json("datasets", "resolve", "raw.orders.events", "--payload", payload)
    assert resolved["dataset_urn"] == ORDERS
    assert [one["field"] for one in resolved["contract_violations"]] == ["customer_id"]


def test_it_may_be_run_again_and_is_told_in_lines(shell: Shell, summary: Any) -> None:
    before = openings(shell)
    lines = shell.out(*FAST).splitlines()
    # What happened before has come back, or was reported again before anybody noticed that.
    assert all(more > count for count, more in zip(before, openings(shell), strict=True))
    assert len(shell.json("datasets", "--all")["datasets"]) == 40
    assert shell.api("GET", f"/datasets/{ORDERS}/signals/SCHEMA")["state"] == "OK"
    assert lines[0].startswith("Datasets and rules: ")
    story = "\n".join(lines)
    told = [
        "v3.17 is deployed",
        "SEV_1",
        "joins INC-",
        "acknowledges INC-",
        "rolled back",
        "healed",
    ]
    assert [story.index(part) for part in told] == sorted(story.index(part) for part in told)


def openings(shell: Shell) -> list[int]:
    """How often an incident of each of the story's datasets was opened; by now all are over."""
    counts = []
    for dataset in (ORDERS, *CONSUMERS):
        incidents = shell.json("incidents", "--all", "--dataset", dataset)["incidents"]
        assert {one["status"] for one in incidents} == {"RESOLVED"}
        told = [shell.json("incidents", "show", one["incident_id"]) for one in incidents]
        what = [entry["event_type"] for one in told for entry in one["timeline"]]
        counts.append(what.count("OPENED") + what.count("REOPENED"))
    return counts


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_traffic_goes_on_until_it_is_stopped_well(shell: Shell, how: int, tmp_path: Path) -> None:
    settings = {
        "STATESTORE_HTTP_PORT": str(shell.server.port),
        "STATESTORE_ADMIN_TOKEN": TOKEN,
        "PYTHONUNBUFFERED": "1",
    }
    with subprocess.Popen(
        command("demo", "--speed", "1000"),
        cwd=tmp_path,
        env=environment(tmp_path / "var", **settings),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        lines = iter(process.stdout)
        assert any(line.startswith("Traffic goes on") for line in lines)
        assert any("not OK" in line for line in lines)
        process.send_signal(how)
        assert list(lines)[-1].startswith("Stopped")
        assert process.wait(PATIENCE) == 0


def test_what_ended_without_us_is_carried_on_with(shell: Shell, summary: Any) -> None:
    """The server may have resolved an incident by itself."""
    sender = Sender(_server(shell), incidents={"it": summary["incidents"]["orders"]})
    other = {"status": "RESOLVED", "resolution": {"root_cause": "something else"}}
    assert sender.send(change("it", other)) is None
    assert sender.send(change("it", {"note": "late"})) is not None


def test_updates_that_are_refused_end_the_demo(shell: Shell, summary: Any) -> None:
    retired = "/datasets/urn:dp:finance:forecast:v1"
    shell.api("DELETE", retired)
    try:
        ended = shell.run(*FAST, "--json")
    finally:
        shell.api("POST", f"{retired}/restore")
    assert (ended.exit_code, ended.stdout) == (1, "")
    assert "updates were refused" in ended.stderr


def test_an_incident_that_was_open_already_is_the_one_that_counts(
    shell: Shell, summary: Any
) -> None:
    opened = {
        "primary_dataset_urn": ORDERS,
        "signal_types": ["CUSTOM_UNSEEN"],
        "severity": "SEV_3",
        "failure_signatures": ["UNSEEN:again"],
    }
    name = shell.api("POST", "/incidents", opened)["incident_id"]
    sender = Sender(_server(shell))
    body = {**opened, "incident_id": "INC-another"}
    sender.send(Call("POST", "/api/v1/incidents", body, opens="it"))
    assert sender.incidents == {"it": name}


def _server(shell: Shell) -> RunningServer:
    port = shell.server.port
    return RunningServer(Settings(http_port=port, admin_token=TOKEN))  # type: ignore[arg-type]


def test_only_what_is_ahead_is_waited_for() -> None:
    noon, waited = datetime(2026, 1, 15, 12, tzinfo=UTC), list[float]()
    pace = Pace(lambda: noon, waited.append)
    pace.until(noon + timedelta(seconds=3))
    pace.until(noon)
    pace.until(noon - timedelta(seconds=3))
    assert waited == [3.0]


def test_a_terminal_gets_a_bar_and_a_script_nothing() -> None:
    for silent in (False, True):
        out = io.StringIO()
        narrator = Narrator(Console(file=out, force_terminal=True, width=100), silent)
        with narrator.progress("A day", 2) as step:
            step()
            step()
        assert ("2/2" in out.getvalue()) is not silent


def test_a_server_elsewhere_is_not_filled_unasked(
    shell: Shell, summary: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Invented data can hardly be told from real data once it is there."""
    monkeypatch.setenv("STATESTORE_HTTP_HOST", "0.0.0.0")
    before = len(shell.json("incidents", "--all")["incidents"])
    ended = shell.run(*FAST)
    assert ended.exit_code == 1
    assert "invented data?" in ended.output
    assert len(shell.json("incidents", "--all")["incidents"]) == before


def test_wrong_use(shell: Shell) -> None:
    assert shell.run("demo", "--speed", "0").exit_code == 2
    assert shell.run("demo", "--seed", "-1").exit_code == 2
