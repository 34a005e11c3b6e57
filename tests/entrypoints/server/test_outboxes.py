"""A real server and its sinks: nothing is lost, whatever is killed (S0-331)."""

import json
import signal
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.adapters.aws_stand_in import aws
from tests.adapters.cache.redis_servers import redis_server
from tests.application.delivery.published_events import fitting
from tests.client.waiting import until
from tests.entrypoints.support.reports import dataset, report
from tests.entrypoints.support.server import Server, serving
from tests.entrypoints.support.webhook_receiver import Receiver, receiving

URN = "urn:dp:orders:order_created:v1"
SIGNAL = f"/api/v1/datasets/{URN}/signals/VOLUME"


def webhooks(receiver: Receiver) -> str:
    return json.dumps([{"name": "all", "url": receiver.url, "secret": "0123456789abcdef"}])


def turn(server: Server, windows: range) -> None:
    """Let the signal change its state in each of the windows."""
    for window in windows:
        state = "CRITICAL" if window % 2 else "OK"
        assert server.ask("PUT", SIGNAL, report(window, window, state)).status == 200


def test_a_killed_server_goes_on_where_it_was(tmp_path: Path) -> None:
    """Whatever was recorded is heard of, in order; what is heard twice has the same id."""
    folder = tmp_path / "var"
    with receiving() as receiver:
        settings = {"STATESTORE_WEBHOOKS": webhooks(receiver)}
        with serving(folder, **settings) as server:
            server.ask("POST", "/api/v1/datasets", dataset(URN))
            turn(server, range(20))
            assert server.stop(signal.SIGKILL) == -signal.SIGKILL
        with serving(folder, **settings) as server:
            turn(server, range(20, 25))
            assert receiver.heard_of(26)
            assert server.stop() == 0
    versions = [event["version"] for event in receiver.events if "version" in event]
    firsts = list(dict.fromkeys(versions))
    assert firsts == list(range(1, 26))
    for event in receiver.events:
        fitting(event)


def test_a_receiver_that_comes_late_hears_of_everything(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    with receiving(status=503) as receiver:
        with serving(folder, STATESTORE_WEBHOOKS=webhooks(receiver)) as server:
            server.ask("POST", "/api/v1/datasets", dataset(URN))
            turn(server, range(3))
            assert receiver.heard_of(1)
            told = _trouble(server)
            assert told == "the sink webhook-all is unavailable: it answered with 503"
            assert server.ask("GET", "/health").status == 200
            receiver.status = 204
            assert receiver.heard_of(4)
        assert len({event["event_type"] for event in receiver.events}) == 2


def test_redis_that_is_away_is_waited_for_and_nobody_else_waits(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Nothing becomes a dead letter, and whoever is killed meanwhile goes on where Redis was."""
    folder = tmp_path / "var"
    with redis_server() as redis, receiving() as receiver:
        redis_and_webhook = {
            "STATESTORE_REDIS_URL": redis.url,
            "STATESTORE_WEBHOOKS": webhooks(receiver),
            "STATESTORE_EVENTS_MAX_ATTEMPTS": "1",
        }
        with serving(folder, **redis_and_webhook) as server:
            server.ask("POST", "/api/v1/datasets", dataset(URN))
            until(lambda: _lag(server) == 0)
            redis.stop()
            turn(server, range(5))
            assert receiver.heard_of(6)
            assert "the shared cache is unavailable" in _trouble(server, "redis")
            assert _lag(server) > 0
            assert server.stop(signal.SIGKILL) == -signal.SIGKILL
        with serving(folder, **redis_and_webhook) as server:
            assert _trouble(server, "redis")
            assert _lag(server) > 0
            redis.start()
            until(lambda: _redis(server)["error"] is None)
            until(lambda: _lag(server) == 0)
            told = server.ask("GET", "/health")
            assert (told.status, told.body["dead_letters"]) == (200, 0)
        with redis.client as client:
            (dropped,) = [key for key in client.keys("*") if b":ss:" in key]
            assert int(client.hget(dropped, "r")) > 0
    assert '"event_delivery_failed"' in capfd.readouterr().err


def _lag(server: Server) -> int:
    lag: int = _redis(server)["lag_events"]
    return lag


def _redis(server: Server) -> dict[str, Any]:
    sink: dict[str, Any] = server.ask("GET", "/health").body["sinks"]["redis"]
    return sink


def _trouble(server: Server, sink: str = "webhook-all") -> Any:
    told = []

    def is_told() -> bool:
        told.append(server.ask("GET", "/health").body["sinks"].get(sink, {}).get("error"))
        return bool(told[-1])

    until(is_told)
    return told[-1]


def test_sns_and_eventbridge_at_once(tmp_path: Path) -> None:
    """S0-207: opening an incident is published."""
    with aws() as stand_in:
        topic = stand_in.sns.create_topic(Name="health")["TopicArn"]
        published, arn = stand_in.queue("published")
        stand_in.sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn)
        put, arn = stand_in.queue("put")
        stand_in.events.put_rule(Name="all", EventPattern='{"source": ["statestore"]}')
        stand_in.events.put_targets(Rule="all", Targets=[{"Id": "q", "Arn": arn}])
        settings = {
            "AWS_ACCESS_KEY_ID": "local",
            "AWS_SECRET_ACCESS_KEY": "not-a-secret",
            "AWS_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": stand_in.endpoint,
            "STATESTORE_SNS_TOPIC_ARN": topic,
            "STATESTORE_EVENT_BUS": "default",
        }
        with serving(tmp_path / "var", **settings) as server:
            server.ask("POST", "/api/v1/datasets", dataset(URN))
            turn(server, range(2))
            incident = {
                "incident_id": "INC-1",
                "primary_dataset_urn": URN,
                "signal_types": ["VOLUME"],
                "severity": "SEV_1",
                "failure_signatures": ["LATE_DATA:processed_at"],
            }
            opened = server.ask("POST", "/api/v1/incidents", incident)
            assert opened.status == 201, opened
            _wait_for_all(server)
            assert server.stop() == 0
        messages = stand_in.received(published, lambda body: orjson.loads(body["Message"]))
        details = stand_in.received(put, lambda body: body["detail"])
    assert "INCIDENT_CREATED" in {one["event_type"] for one in messages}
    by_id = {one["event_id"]: fitting(one) for one in messages}
    assert by_id == {one["event_id"]: one for one in details}
    assert len(by_id) == 4


def _wait_for_all(server: Server) -> None:
    def are_at_the_end() -> bool:
        sinks = server.ask("GET", "/health").body["sinks"]
        return len(sinks) == 2 and not any(one["lag_events"] for one in sinks.values())

    until(are_at_the_end)
