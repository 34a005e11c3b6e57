"""GraphQL as server-sent events (graphql-sse, a connection for each operation)."""

import http.client
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from attrs import frozen

from tests.entrypoints.graphql.transport.socket_client import (
    SIGNALS,
    change,
    few_may_listen,
    wait_until,
)
from tests.entrypoints.support.server import PATIENCE, Server, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with few_may_listen(tmp_path_factory.mktemp("streams")) as started:
        yield started


@frozen
class Reader:
    answer: http.client.HTTPResponse

    def block(self) -> tuple[str, str]:
        """What is said next: its kind and its content. Comments are of no kind."""
        found = {"event": "", "data": ""}
        while (line := self.answer.readline().decode()).strip():
            name, _, value = line.rstrip("\n").partition(":")
            found[name] = value.strip()
        return found["event"], found["data"]

    def told(self) -> dict[str, Any]:
        """The next answer."""
        while (block := self.block())[0] == "":
            pass
        assert block[0] == "next", block
        told: dict[str, Any] = json.loads(block[1])
        return told


@contextmanager
def asking(server: Server, query: str, method: str = "POST", **variables: Any) -> Iterator[Reader]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    headers = {"Authorization": f"Bearer {server.token}", "Accept": "text/event-stream"}
    try:
        if method == "GET":
            said = urlencode({"query": query, "variables": json.dumps(variables)})
            connection.request("GET", f"/graphql?{said}", headers=headers)
        else:
            body = json.dumps({"query": query, "variables": variables})
            sent = {**headers, "Content-Type": "application/json"}
            connection.request("POST", "/graphql", body, sent)
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["cache-control"] == "no-store"
        yield Reader(answer)
    finally:
        connection.close()


@pytest.mark.parametrize(("method", "window"), [("GET", 1), ("POST", 11)])
def test_a_subscription_is_told_as_it_happens(server: Server, method: str, window: int) -> None:
    start = change(server, window, "OK")
    with asking(server, SIGNALS, method, after=start) as reader:
        position = change(server, window + 1, "CRITICAL")
        told = reader.told()["data"]["signalChanges"]
        assert (told["position"], told["signal"]["state"]) == (position, "CRITICAL")
        # While nothing happens it says that it lives.
        assert reader.block() == ("", "")
    change(server, window + 2, "OK")
    wait_until(server, listeners=0)


def test_a_query_is_told_once(server: Server) -> None:
    with asking(server, "{ __typename }") as reader:
        assert reader.told() == {"data": {"__typename": "Query"}}
        assert reader.block() == ("complete", "")
        assert reader.answer.read() == b""


@pytest.mark.parametrize(
    ("query", "variables", "code"),
    [
        ("{", {}, "GRAPHQL_PARSE_FAILED"),
        (SIGNALS, {"after": "nonsense"}, "VALIDATION"),
        (SIGNALS, {"after": 7}, "GRAPHQL_VALIDATION_FAILED"),
    ],
)
def test_what_cannot_be_asked_is_told_as_an_answer(
    server: Server, query: str, variables: dict[str, Any], code: str
) -> None:
    with asking(server, query, **variables) as reader:
        told = reader.told()
        assert told["errors"][0]["extensions"]["code"] == code
        assert "data" not in told
        assert reader.block()[0] == "complete"


def test_what_is_no_request_is_refused(server: Server) -> None:
    headers = {"Accept": "text/event-stream"}
    assert server.ask("POST", "/graphql", {"query": 7}, headers).status == 400
    stranger = server.ask("POST", "/graphql", {"query": "{ a }"}, {**headers, "Authorization": "x"})
    assert stranger.status == 401
    changing = urlencode({"query": "mutation { __typename }"})
    assert server.ask("GET", f"/graphql?{changing}", headers=headers).status == 405
    plain = server.ask("POST", "/graphql", {"query": "subscription { signalChanges { state } }"})
    assert (plain.status, plain.body["errors"][0]["extensions"]["code"]) == (406, "NOT_ACCEPTABLE")


def test_head_tells_and_does_not_stay(server: Server) -> None:
    said = urlencode({"query": "subscription { signalChanges { state } }"})
    for _ in range(5):
        headers = {"Accept": "text/event-stream"}
        assert server.ask("HEAD", f"/graphql?{said}", headers=headers).status == 200
    wait_until(server, listeners=0)


def test_a_stop_ends_the_streams_at_once(tmp_path: Path) -> None:
    settings = {"STATESTORE_ENGINE": "memory", "STATESTORE_DRAIN_SECONDS": "50"}
    with serving(tmp_path / "var", **settings) as server, asking(server, SIGNALS) as reader:
        began = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - began < 25
        assert reader.answer.read() == b""
