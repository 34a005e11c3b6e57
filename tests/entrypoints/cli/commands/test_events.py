"""`statestore events` and `statestore dead-letters`."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import define

from application.reads.position import Position
from entrypoints.cli.event_reader import EventReading
from entrypoints.cli.running_server import RunningServer, ServerAway, ServerRefused
from entrypoints.settings.loading import load
from tests.entrypoints.cli.commands.shell import TOKEN, Shell
from tests.entrypoints.support.reports import dataset, report
from tests.entrypoints.support.server import Server, serving
from tests.entrypoints.support.webhook_receiver import Receiver, receiving

ORDERS, CLICKS = "urn:dp:orders:order_created:v1", "urn:dp:marketing:clicks:v1"
BEGINNING = Position(0).token()


@pytest.fixture(scope="module")
def receiver() -> Iterator[Receiver]:
    with receiving(status=400) as started:
        yield started


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, receiver: Receiver) -> Iterator[Server]:
    hooks = [{"name": "choosy", "url": receiver.url, "secret": "0123456789abcdef"}]
    with serving(
        tmp_path_factory.mktemp("events") / "var",
        STATESTORE_ENGINE="memory",
        STATESTORE_ADMIN_TOKEN=TOKEN,
        STATESTORE_WEBHOOKS=json.dumps(hooks),
    ) as started:
        yield started


@pytest.fixture
def told(shell: Shell) -> Shell:
    """A store in which two datasets were registered, and a signal changed once."""
    if not shell.api("GET", "/datasets")["datasets"]:
        for urn in (ORDERS, CLICKS):
            shell.api("POST", "/datasets", dataset(urn))
        signal = f"/datasets/{ORDERS}/signals/FRESHNESS"
        shell.api("PUT", signal, report(1, 0, "CRITICAL"))
    return shell


def test_events_are_lines(told: Shell) -> None:
    lines = told.out("events", "--after", BEGINNING, "--limit", "3").splitlines()
    assert ["DATASET_CONFIG_CHANGED" in line for line in lines] == [True, True, False]
    assert f"{ORDERS}  FRESHNESS  ? UNKNOWN → ✖ CRITICAL  LATE_DATA:processed_at" in lines[2]


def test_events_for_scripts_and_only_some(told: Shell) -> None:
    words = ("events", "--after", BEGINNING, "--json", "--limit", "1")
    (line,) = told.out(*words, "--type", "signal_state_changed").splitlines()
    assert json.loads(line)["new_state"] == "CRITICAL"
    (line,) = told.out(*words, "--dataset", CLICKS).splitlines()
    assert json.loads(line)["dataset_urn"] == CLICKS


def test_a_position_that_is_none_is_told(told: Shell) -> None:
    ended = told.run("events", "--after", "nonsense")
    assert ended.exit_code == 1
    assert "after: must be a position token" in ended.stderr


def waiting(shell: Shell, sink: str, count: int) -> list[Any]:
    """The dead letters, once there are so many."""
    for _ in range(2_000):
        letters: list[Any] = shell.json("dead-letters", "--sink", sink)["dead_letters"]
        if len(letters) >= count:
            return letters
    raise AssertionError("they never came")


def test_dead_letters_are_seen_sent_again_and_dropped(told: Shell, receiver: Receiver) -> None:
    letters = waiting(told, "webhook-choosy", 3)
    shown = told.out("dead-letters")
    assert shown.count("it answered with 400") == 3
    name = letters[0]["event_id"]
    assert "DATASET_CONFIG_CHANGED" in told.out("dead-letters", "show", "webhook-choosy", name)
    refused = told.run("dead-letters", "resend", "webhook-choosy", "--all", "--json")
    assert refused.exit_code == 1
    assert len(json.loads(refused.stdout)["failed"]) == 3
    refused = told.run("dead-letters", "resend", "webhook-choosy", "--all")
    assert refused.stdout.count("is still there: webhook-choosy did not take the event") == 3
    assert refused.stdout.endswith("0 sent again, 3 still there\n")
    receiver.status = 204
    assert told.json("dead-letters", "resend", "webhook-choosy", name)["done"] == 1
    assert told.run("dead-letters", "resend", "webhook-choosy", name).exit_code == 1
    assert "for ever?" in told.run("dead-letters", "drop", "webhook-choosy", "--all").stdout
    assert told.json("dead-letters", "drop", "webhook-choosy", letters[1]["event_id"], "--yes")
    assert told.json("dead-letters", "resend", "webhook-choosy", "--all")["done"] == 1
    assert told.json("dead-letters")["dead_letters"] == []
    nothing = told.out("dead-letters", "resend", "webhook-choosy", "--all")
    assert nothing == "0 sent again, 0 still there\n"
    assert "No event was set aside" in told.out("dead-letters")
    health = told.server.ask("GET", "/health").body
    assert health["dead_letters"] == 0
    assert health["sinks"]["webhook-choosy"]["error"] is None


@pytest.mark.parametrize("words", [["resend"], ["drop", "--yes"]])
def test_an_unknown_sink_is_told(told: Shell, words: list[str]) -> None:
    ended = told.run("dead-letters", *words, "nosuch", "--all")
    assert ended.exit_code == 1
    assert "the server knows no sink nosuch, nor dead letters of it" in ended.stderr


@pytest.mark.parametrize("which", ["0" * 32, "--all"])
def test_nobody_is_asked_whether_to_drop_what_is_not_there(told: Shell, which: str) -> None:
    ended = told.run("dead-letters", "drop", "sns", which)
    assert (ended.exit_code, ended.stdout) == (1, "")
    assert "sns has no dead letter" in ended.stderr


@pytest.mark.parametrize("words", [["resend", "sns"], ["drop", "sns", "x", "--all"]])
def test_which_must_be_said(told: Shell, words: list[str]) -> None:
    assert told.run("dead-letters", *words).exit_code == 2


def running(server: Server, folder: Path) -> RunningServer:
    variables = {"STATESTORE_HTTP_PORT": str(server.port), "STATESTORE_DATA_DIR": str(folder)}
    return RunningServer(load(variables, folder / "none"))


def test_a_server_that_was_away_is_asked_again_from_where_it_was_left(tmp_path: Path) -> None:
    """The last event is recorded by a server that is started while the first one is missed."""
    folder = tmp_path / "var"
    with ExitStack() as servers:
        first = servers.enter_context(serving(folder))
        reading = EventReading(running(first, folder), {"after": BEGINNING})
        events = reading.events()
        for urn in (ORDERS, CLICKS):
            assert first.ask("POST", "/api/v1/datasets", dataset(urn)).status == 201
            assert next(events)["dataset_urn"] == urn
        assert first.stop() == 0

        def start_another(_: float) -> None:
            second = servers.enter_context(serving(folder))
            path = f"/api/v1/datasets/{ORDERS}/signals/FRESHNESS"
            assert second.ask("PUT", path, report(1, 0, "CRITICAL")).status == 200
            reading.server = running(second, folder)

        reading.wait = start_another
        assert next(events)["event_type"] == "SIGNAL_STATE_CHANGED"
        events.close()  # type: ignore[attr-defined]  # a generator


def test_no_server_at_the_start_is_told(tmp_path: Path) -> None:
    settings = load({"STATESTORE_HTTP_PORT": "1"}, tmp_path)
    with pytest.raises(ServerAway):
        next(EventReading(RunningServer(settings), {}).events())


@define
class MoodyServer:
    """Tells an event and breaks off, then refuses so many times, then tells the next one."""

    code: str
    refuses: int = 1
    asked: int = 0

    @contextmanager
    def stream(self, path: str, headers: object, *, silence: float) -> Iterator[Iterator[str]]:
        self.asked += 1
        if 1 < self.asked <= 1 + self.refuses:
            raise ServerRefused("here", "not now", self.code)
        yield iter([f"id: {self.asked}", f'data: {{"number": {self.asked}}}', ""])


def events_of(server: MoodyServer) -> Iterator[Any]:
    return EventReading(server, {}, wait=lambda _: None).events()  # type: ignore[arg-type]


def test_a_server_that_is_busy_for_a_moment_is_waited_for() -> None:
    events = events_of(MoodyServer("UNAVAILABLE"))
    assert [next(events), next(events)] == [{"number": 1}, {"number": 3}]


def test_that_a_server_is_waited_for_is_told_once_each_time() -> None:
    told: list[object] = []
    server = MoodyServer("UNAVAILABLE", refuses=3)
    reading = EventReading(server, {}, wait=lambda _: None, on_away=told.append)  # type: ignore[arg-type]
    events = reading.events()
    assert [next(events), next(events)] == [{"number": 1}, {"number": 5}]
    assert [str(one) for one in told] == ["here refused: not now"]
    server.asked = 1
    assert next(events) == {"number": 5}
    assert len(told) == 2


def test_a_server_that_refuses_for_good_is_not_asked_again() -> None:
    events = events_of(MoodyServer("VALIDATION"))
    assert next(events) == {"number": 1}
    with pytest.raises(ServerRefused):
        next(events)
