"""`statestore demo --tour`: what it tells a user to type works as it stands."""

import json
import os
import shlex
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from entrypoints.cli.demo.calls import Call
from entrypoints.cli.demo.tour import StoryClock
from entrypoints.cli.demo.tour_stops import STOPS, Look, as_curl
from tests.entrypoints.cli.commands.shell import TOKEN, Shell
from tests.entrypoints.support.server import PATIENCE, Server

TOUR = ("demo", "--tour", "--speed", "1000")


@pytest.fixture(scope="module")
def told(server: Server, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The tour's lines."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.chdir(tmp_path_factory.mktemp("tour"))
        monkeypatch.setenv("STATESTORE_ADMIN_TOKEN", TOKEN)
        return Shell(server, monkeypatch).out(*TOUR).splitlines()


@pytest.fixture
def incidents(told: list[str]) -> dict[str, str]:
    """The story's incident by its name in the tour."""
    (acknowledged,) = (line for line in told if line.startswith("$ statestore incidents ack "))
    return {"orders": acknowledged.split()[-1]}


def looks() -> Iterator[Look]:
    for stop in STOPS.values():
        yield from stop.looks


def is_reading(look: Look) -> bool:
    return {call.method for call in look.calls} == {"GET"}


def asked(server: Server, curl: str) -> Any:
    """What a shell makes of the line."""
    variables = {"API": f"http://127.0.0.1:{server.port}/api/v1", "TOKEN": TOKEN, "no_proxy": "*"}
    ended = subprocess.run(
        ["/bin/sh", "-c", curl.replace("curl", "curl --fail", 1)],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ended.returncode == 0, (curl, ended.stderr)
    return json.loads(ended.stdout)


def test_it_stops_everywhere_in_order_and_tells_what_happens(told: list[str]) -> None:
    titles = [stop.title for stop in STOPS.values()]
    assert [line for line in told if line in titles] == titles
    for part in ("v3.17 is deployed", "SEV_1", "rolled back", "everything has healed"):
        assert any(part in line for line in told)


def test_every_command_is_shown_with_its_curl_and_was_run(
    told: list[str], incidents: dict[str, str]
) -> None:
    shown = [line for line in told if line.startswith(("$ ", "# "))]
    expected = [
        line
        for look in looks()
        for line in (
            f"$ statestore {shlex.join(look.command(incidents))}",
            *(f"# {curl}" for curl in look.curls(incidents)),
        )
    ]
    assert shown == expected
    text = "\n".join(told)
    for part in ("is ▲ ACKNOWLEDGED", "is on call", "is ✔ RESOLVED", "job:customer-360"):
        assert part in text


def test_what_reads_can_be_typed_again_and_is_what_curl_answers(
    incidents: dict[str, str], shell: Shell, server: Server
) -> None:
    for look in filter(is_reading, looks()):
        answer = shell.json(*look.command(incidents))
        first, *more = (asked(server, curl) for curl in look.curls(incidents))
        expected = {"incident": first, "timeline": more[0]["timeline"]} if more else first
        assert {**answer, "age_seconds": 0} == {**expected, "age_seconds": 0}


def test_what_writes_does_the_same_with_curl(
    incidents: dict[str, str], shell: Shell, server: Server
) -> None:
    """On an incident of its own: the story's is resolved by now."""
    opened = {
        "primary_dataset_urn": "urn:dp:orders:order_created:v1",
        "signal_types": ["CUSTOM_UNSEEN"],
        "severity": "SEV_3",
        "failure_signatures": ["UNSEEN:again"],
    }
    mine = shell.api("POST", "/incidents", opened)["incident_id"]
    for look in looks():
        if not is_reading(look):
            for curl in look.curls({"orders": mine}):
                asked(server, curl)
    done, by_tour = (shell.api("GET", f"/incidents/{one}") for one in (mine, incidents["orders"]))
    for name in ("status", "oncall_user", "resolution"):
        assert done[name] == by_tour[name]


def test_the_readers_deeds_are_in_the_timeline_once(
    incidents: dict[str, str], shell: Shell
) -> None:
    """The story does them, too, and repeating them records nothing."""
    shown = shell.json("incidents", "show", incidents["orders"])
    happened = [entry["event_type"] for entry in shown["timeline"]]
    for once in ("ACKNOWLEDGED", "ASSIGNED", "RESOLVED"):
        assert happened.count(once) == 1


def test_a_curl_is_safe_to_paste() -> None:
    call = Call("PATCH", "/api/v1/incidents/{it}", {"note": "it's $HOME"})
    assert shlex.split(as_curl(call, {"it": "INC-1"}))[-1] == '{"note": "it\'s $HOME"}'


def test_the_story_stands_still_while_somebody_reads() -> None:
    noon = datetime(2026, 1, 15, 12, tzinfo=UTC)
    times = iter([noon, noon + timedelta(minutes=3), noon + timedelta(minutes=4)])
    clock = StoryClock(lambda: next(times))
    clock.stand(lambda: None)
    assert clock.now() == noon + timedelta(minutes=1)


def test_a_tour_is_not_for_scripts(shell: Shell) -> None:
    assert shell.run(*TOUR, "--json").exit_code == 2
