"""GraphQL over websockets, from a real server to whoever listens."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from application.reads.position import Position
from tests.entrypoints.graphql.transport.socket_client import (
    SIGNALS,
    change,
    connected,
    few_may_listen,
    handles,
    listening,
    resident,
    wait_for_handles,
    wait_until,
)
from tests.entrypoints.server.test_events import CLICKS, ORDERS
from tests.entrypoints.support.server import Server, serving
from tests.support.scale import scaled

DROPPED = scaled(100, 2_000)

INCIDENTS = """subscription($after: String, $urn: String, $severity: [Severity!],
                            $types: [IncidentEventType!]) {
  incidentChanges(after: $after, datasetUrn: $urn, severity: $severity, types: $types) {
    position type datasetUrn incidentId changedFields incident { status severity }
  }
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with few_may_listen(tmp_path_factory.mktemp("sockets")) as started:
        yield started


def open_incident(server: Server, name: str, severity: str, urn: str = ORDERS) -> str:
    """The position."""
    body = {
        "incident_id": name,
        "primary_dataset_urn": urn,
        "signal_types": ["FRESHNESS"],
        "severity": severity,
        "failure_signatures": [f"LATE_DATA:{name.lower()}"],
    }
    answer = server.ask("POST", "/api/v1/incidents", body)
    assert answer.status == 201, answer
    return answer.headers["statestore-position"]


def test_signals_are_heard_as_they_change(server: Server) -> None:
    start = change(server, 1, "OK")
    with listening(server) as socket:
        socket.subscribe("s", SIGNALS, after=start)
        position = change(server, 2, "CRITICAL")
        told = socket.told("s")["signalChanges"]
        assert (told["datasetUrn"], told["signalType"]) == (ORDERS, "FRESHNESS")
        assert (told["previousState"], told["state"]) == ("OK", "CRITICAL")
        assert told["position"] == position
        assert told["signal"]["state"] == "CRITICAL"
        assert told["signal"]["dataset"]["ownerTeam"]
        change(server, 3, "WARNING")
        # Each event is looked up anew: what was read for the last one is not told again.
        assert socket.told("s")["signalChanges"]["signal"]["state"] == "WARNING"


def test_from_now_on_nothing_of_before_is_told(server: Server) -> None:
    change(server, 4, "OK")
    with listening(server) as socket:
        socket.subscribe("s", "subscription { signalChanges { state position } }")
        # It listens as soon as it is counted.
        wait_until(server, listeners=1)
        position = change(server, 5, "CRITICAL")
        assert socket.told("s")["signalChanges"] == {"state": "CRITICAL", "position": position}


def test_what_was_missed_is_told_after_coming_back(server: Server) -> None:
    start = change(server, 6, "OK")
    with listening(server) as socket:
        socket.subscribe("s", SIGNALS, after=start)
        change(server, 7, "WARNING")
        last = socket.told("s")["signalChanges"]["position"]
    change(server, 8, "CRITICAL")
    change(server, 9, "OK")
    with listening(server) as socket:
        socket.subscribe("s", SIGNALS, after=last)
        states = [socket.told("s")["signalChanges"]["state"] for _ in range(2)]
        assert states == ["CRITICAL", "OK"]


def test_only_what_is_wanted_is_told(server: Server) -> None:
    start = change(server, 10, "OK", CLICKS)
    change(server, 10, "WARNING", ORDERS)
    change(server, 11, "WARNING", CLICKS)
    change(server, 12, "CRITICAL", CLICKS)
    with listening(server) as socket:
        socket.subscribe("s", SIGNALS, after=start, urns=[CLICKS], states=["CRITICAL"])
        told = socket.told("s")["signalChanges"]
        assert (told["datasetUrn"], told["state"]) == (CLICKS, "CRITICAL")


def test_incidents_are_heard_as_they_live(server: Server) -> None:
    start = change(server, 13, "CRITICAL")
    open_incident(server, "INC-10", "SEV_3")
    open_incident(server, "INC-11", "SEV_1", CLICKS)
    server.ask("PATCH", "/api/v1/incidents/INC-11", {"status": "ACKNOWLEDGED"})
    resolution = {"root_cause": "x"}
    done = server.ask(
        "PATCH", "/api/v1/incidents/INC-11", {"status": "RESOLVED", "resolution": resolution}
    )
    assert done.status == 200
    with listening(server) as socket:
        socket.subscribe("all", INCIDENTS, after=start)
        told = [socket.told("all")["incidentChanges"] for _ in range(4)]
        assert [(one["incidentId"], one["type"]) for one in told] == [
            ("INC-10", "INCIDENT_CREATED"),
            ("INC-11", "INCIDENT_CREATED"),
            ("INC-11", "INCIDENT_UPDATED"),
            ("INC-11", "INCIDENT_RESOLVED"),
        ]
        assert told[2]["changedFields"] == ["status"]
        assert told[3]["incident"] == {"status": "RESOLVED", "severity": "SEV_1"}
        socket.say(type="complete", id="all")
        socket.subscribe("severe", INCIDENTS, after=start, severity=["SEV_1"])
        assert socket.told("severe")["incidentChanges"]["incidentId"] == "INC-11"
        wanted = {"urn": CLICKS, "types": ["INCIDENT_RESOLVED"]}
        socket.subscribe("resolved", INCIDENTS, after=start, **wanted)
        heard = [socket.hear() for _ in range(3)]
        assert [one["id"] for one in heard].count("resolved") == 1


def test_queries_and_mutations_are_answered_once(server: Server) -> None:
    with listening(server) as socket:
        socket.subscribe("q", "query($n: String!) { __type(name: $n) { name } }", n="Query")
        assert socket.told("q") == {"__type": {"name": "Query"}}
        assert socket.hear() == {"id": "q", "type": "complete"}
        # The name is free again.
        socket.subscribe("q", '{ incident(incidentId: "INC-404") { title } }')
        assert socket.told("q") == {"incident": None}
        assert socket.hear() == {"id": "q", "type": "complete"}


@pytest.mark.parametrize(
    ("query", "variables", "code"),
    [
        ("{", {}, "GRAPHQL_PARSE_FAILED"),
        ("{ nothing }", {}, "GRAPHQL_VALIDATION_FAILED"),
        ("{" + "a{" * 20 + "b" + "}" * 21, {}, "QUERY_TOO_DEEP"),
        (SIGNALS, {"states": ["ELSE"]}, "GRAPHQL_VALIDATION_FAILED"),
        (SIGNALS, {"after": "nonsense"}, "VALIDATION"),
        (SIGNALS, {"after": Position(10**9).token()}, "VALIDATION"),
        (SIGNALS, {"urns": ["nonsense"]}, "VALIDATION"),
        (SIGNALS, {"urns": [ORDERS] * 101}, "VALIDATION"),
        (INCIDENTS, {"urn": "nonsense"}, "VALIDATION"),
    ],
)
def test_what_cannot_be_asked_is_told_and_the_socket_stays(
    server: Server, query: str, variables: dict[str, Any], code: str
) -> None:
    with listening(server) as socket:
        socket.subscribe("x", query, **variables)
        message = socket.hear()
        assert (message["type"], message["id"]) == ("error", "x")
        assert message["payload"][0]["extensions"]["code"] == code
        socket.subscribe("x", "{ __typename }")
        assert socket.told("x") == {"__typename": "Query"}


def test_a_batch_is_no_payload(server: Server) -> None:
    with listening(server) as socket:
        socket.say(type="subscribe", id="x", payload=[{"query": "{ __typename }"}])
        assert socket.closed()[0] == 4400


def test_after_it_was_completed_nothing_is_told(server: Server) -> None:
    start = change(server, 20, "OK")
    with listening(server) as socket:
        socket.subscribe("s", SIGNALS, after=start)
        change(server, 21, "CRITICAL")
        socket.told("s")
        socket.say(type="complete", id="s")
        socket.say(type="complete", id="never begun")
        change(server, 22, "OK")
        socket.subscribe("q", "{ __typename }")
        assert socket.hear()["id"] == "q"
        assert socket.hear() == {"id": "q", "type": "complete"}
    wait_until(server, listeners=0)


def test_ping_is_answered_and_the_server_says_that_it_lives(server: Server) -> None:
    with listening(server) as socket:
        socket.say(type="ping", payload={"some": "thing"})
        assert socket.hear() == {"type": "pong"}
        socket.say(type="pong")
        assert json.loads(socket.connection.recv(30)) == {"type": "ping"}


@pytest.mark.parametrize(
    ("messages", "code"),
    [
        (["not json"], 4400),
        (["[]"], 4400),
        (['{"type": 1}'], 4400),
        (['{"type": "nonsense"}'], 4401),
        (['{"type": "subscribe", "id": "1", "payload": {"query": "{a}"}}'], 4401),
        (['{"type": "ping"}'], 4401),
        (['{"type": "connection_init", "payload": {"Authorization": "Bearer no"}}'], 4403),
        (['{"type": "connection_init", "payload": {"Authorization": 7}}'], 4403),
        (['{"type": "connection_init", "payload": []}'], 4400),
        (['{"type": "connection_init"}'], 4403),
        (["INIT", '{"type": "connection_init"}'], 4429),
        (["INIT", '{"type": "nonsense"}'], 4400),
        (["INIT", '{"type": "subscribe", "payload": {"query": "{a}"}}'], 4400),
        (["INIT", '{"type": "subscribe", "id": "", "payload": {"query": "{a}"}}'], 4400),
        (["INIT", '{"type": "subscribe", "id": 7, "payload": {"query": "{a}"}}'], 4400),
        (["INIT", "SUBSCRIBE", "SUBSCRIBE"], 4409),
    ],
)
def test_who_breaks_the_protocol_is_let_go(server: Server, messages: list[str], code: int) -> None:
    init = json.dumps(
        {"type": "connection_init", "payload": {"Authorization": f"Bearer {server.token}"}}
    )
    query = {"query": "subscription { signalChanges { state } }"}
    subscribe = json.dumps({"type": "subscribe", "id": "1", "payload": query})
    with connected(server) as socket:
        for message in messages:
            said = message.replace("SUBSCRIBE", subscribe).replace("INIT", init)
            socket.connection.send(said)
        assert socket.closed()[0] == code
    wait_until(server, listeners=0)


def test_bytes_are_no_messages(server: Server) -> None:
    with connected(server) as socket:
        socket.connection.send(b"{}")
        assert socket.closed()[0] == 4400


def test_other_protocols_are_not_spoken(server: Server) -> None:
    with connected(server, subprotocols=None) as socket:
        assert socket.closed()[0] == 4406


def test_messages_have_a_largest_size(server: Server) -> None:
    with listening(server) as socket:
        socket.connection.send("x" * 2_000_000)
        assert socket.closed()[0] == 1009


def test_a_token_in_the_header_does_as_well(server: Server) -> None:
    headers = {"Authorization": f"Bearer {server.token}"}
    with connected(server, additional_headers=headers) as socket:
        socket.say(type="connection_init")
        assert socket.hear() == {"type": "connection_ack"}


def test_only_so_many_may_listen(server: Server) -> None:
    with listening(server) as socket:
        for name in "abcd":
            socket.subscribe(name, SIGNALS)
        wait_until(server, listeners=4)
        socket.subscribe("e", SIGNALS)
        message = socket.hear()
        assert (message["type"], message["id"]) == ("error", "e")
        assert message["payload"][0]["extensions"]["code"] == "UNAVAILABLE"
        assert server.ask("GET", "/api/v1/events").status == 503
    wait_until(server, listeners=0)


def test_only_so_many_sockets_are_open(server: Server) -> None:
    def crowd(left: int) -> tuple[int, str]:
        if not left:
            with connected(server) as one_too_many:
                return one_too_many.closed()
        with listening(server):
            return crowd(left - 1)

    assert crowd(4)[0] == 1013
    with listening(server) as socket:
        socket.subscribe("q", "{ __typename }")
        assert socket.told("q")


def drop_lines(server: Server, times: int) -> None:
    for number in range(times):
        with listening(server) as socket:
            socket.subscribe("s", SIGNALS)
            socket.subscribe("i", INCIDENTS)
            if number % 2:
                # Without a farewell: the kernel tells the server that nobody is there.
                socket.connection.socket.close()
    wait_until(server, listeners=0)


def test_those_who_drop_the_line_leave_nothing_behind(server: Server) -> None:
    wait_until(server, listeners=0)
    before = handles(server)
    drop_lines(server, 40)
    wait_for_handles(server, before)

    # A conversation that is held on to takes more than this, with its socket and two listeners, and
    # would do so each time. Python takes memory for other reasons as well, now and then.
    assert min(growth(server) for _ in range(3)) < DROPPED * 20_000


def growth(server: Server) -> int:
    memory = resident(server)
    drop_lines(server, DROPPED)
    return resident(server) - memory


def test_a_stop_ends_the_sockets_at_once(tmp_path: Path) -> None:
    settings = {"STATESTORE_ENGINE": "memory", "STATESTORE_DRAIN_SECONDS": "50"}
    with serving(tmp_path / "var", **settings) as server, listening(server) as socket:
        socket.subscribe("s", SIGNALS)
        began = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - began < 25
        assert socket.closed() == (1001, "the server stops")
