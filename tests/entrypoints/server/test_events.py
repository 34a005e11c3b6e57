"""The stream of events, from a real server to whoever listens (S0-252..S0-255)."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from application.reads.position import Position
from tests.application.delivery.published_events import fitting
from tests.entrypoints.support.event_listener import listening
from tests.entrypoints.support.reports import dataset, report
from tests.entrypoints.support.server import Server, serving

ORDERS, CLICKS = "urn:dp:orders:order_created:v1", "urn:dp:marketing:clicks:v1"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("events") / "var"
    settings = {"STATESTORE_MAX_EVENT_STREAMS": "3", "STATESTORE_EVENT_HEARTBEAT_SECONDS": "0.3"}
    with serving(folder, STATESTORE_ENGINE="memory", **settings) as started:
        for urn in (ORDERS, CLICKS):
            assert started.ask("POST", "/api/v1/datasets", dataset(urn)).status == 201
        yield started


def evaluate(server: Server, window: int, state: str, urn: str = ORDERS) -> Any:
    path = f"/api/v1/datasets/{urn}/signals/FRESHNESS"
    answer = server.ask("PUT", path, report(window, -1, state))
    assert answer.status == 200, answer
    return answer.body


def test_what_happens_is_heard(server: Server) -> None:
    with listening(server) as listener:
        position = evaluate(server, 1, "CRITICAL")["position"]
        event = fitting(listener.event())
        assert (event["dataset_urn"], event["new_state"]) == (ORDERS, "CRITICAL")
        assert event["position"] == listener.last_id == position


def test_what_was_missed_is_told_after_coming_back(server: Server) -> None:
    with listening(server) as listener:
        evaluate(server, 2, "WARNING")
        first = listener.event()
    evaluate(server, 3, "CRITICAL")
    evaluate(server, 4, "OK")
    for query, headers in (
        (f"?after={first['position']}", {}),
        ("", {"Last-Event-ID": first["position"]}),
        (f"?after={Position(1).token()}", {"Last-Event-ID": first["position"]}),
    ):
        with listening(server, query, headers) as again:
            states = [again.event()["new_state"] for _ in range(2)]
            assert states == ["CRITICAL", "OK"]


def test_only_what_is_wanted_is_told(server: Server) -> None:
    start = f"after={Position(0).token()}"
    with listening(server, f"?{start}&type=DATASET_CONFIG_CHANGED") as listener:
        assert [listener.event()["dataset_urn"] for _ in range(2)] == [ORDERS, CLICKS]
    evaluate(server, 5, "CRITICAL", CLICKS)
    wanted = f"dataset_urn={CLICKS}&type=SIGNAL_STATE_CHANGED&type=INCIDENT_CREATED"
    with listening(server, f"?{start}&{wanted}") as listener:
        assert listener.event()["dataset_urn"] == CLICKS


def test_while_nothing_happens_it_says_that_it_lives_and_how_far_it_is(server: Server) -> None:
    with listening(server, "?type=INCIDENT_CREATED") as listener:
        position = evaluate(server, 6, "OK")["position"]
        while listener.last_id != position:
            assert "data" not in listener.block()
        assert set(listener.comments) == {"still here"}


@pytest.mark.parametrize(
    ("query", "headers", "field", "code"),
    [
        ("?after=nonsense", {}, "after", "MALFORMED"),
        ("", {"Last-Event-ID": "42"}, "Last-Event-ID", "MALFORMED"),
        (f"?after={Position(10**9).token()}", {}, "after", "OUT_OF_RANGE"),
        ("", {"Last-Event-ID": Position(10**9).token()}, "Last-Event-ID", "OUT_OF_RANGE"),
        (f"?after={Position(1, epoch=2).token()}", {}, "after", "OUT_OF_RANGE"),
        ("?dataset_urn=orders", {}, "dataset_urn", "MALFORMED"),
        ("?type=ELSE", {}, "type[0]", None),
        ("?typ=INCIDENT_CREATED", {}, "typ", "UNKNOWN_PARAMETER"),
    ],
)
def test_what_cannot_be_listened_to_is_told(
    server: Server, query: str, headers: dict[str, str], field: str, code: str | None
) -> None:
    answer = server.ask("GET", f"/api/v1/events{query}", headers=headers)
    assert answer.status == 422
    (violation,) = answer.body["violations"]
    assert violation["field"] == field
    assert code in (None, violation["code"])


def test_strangers_hear_nothing(server: Server) -> None:
    assert server.ask("GET", "/api/v1/events", headers={"Authorization": "x"}).status == 401


def test_only_so_many_may_listen_and_who_leaves_makes_room(server: Server) -> None:
    with listening(server), listening(server):
        with listening(server):
            refused = server.ask("GET", "/api/v1/events")
            assert (refused.status, refused.body["code"]) == (503, "UNAVAILABLE")
            assert "3 listen already" in refused.body["detail"]
            assert refused.headers["retry-after"] == "1"
        deadline = time.monotonic() + 30
        while server.ask("HEAD", "/api/v1/events").status == 503:
            assert time.monotonic() < deadline


def test_head_tells_and_does_not_stay(server: Server) -> None:
    for _ in range(10):
        answer = server.ask("HEAD", "/api/v1/events")
        assert answer.status == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["cache-control"] == "no-store"


def test_a_stop_ends_the_streams_at_once(tmp_path: Path) -> None:
    settings = {"STATESTORE_ENGINE": "memory", "STATESTORE_DRAIN_SECONDS": "50"}
    with serving(tmp_path / "var", **settings) as server, listening(server) as listener:
        began = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - began < 25
        assert listener.block() == {}
