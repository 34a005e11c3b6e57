"""Events reach an EventBridge bus, and the rules on it (S0-255, S0-331)."""

import asyncio
from typing import Any

import orjson
import pytest

from adapters.eventbridge.sink import EventBridgeSink, open_eventbridge
from application.delivery.sink import Away, Refusal
from application.errors import Unavailable
from tests.adapters.aws_stand_in import Aws
from tests.adapters.sample_events import NOON, event


def rule(stand_in: Aws, bus: str, pattern: dict[str, Any]) -> str:
    """The address of the queue that what fits the pattern goes to."""
    url, arn = stand_in.queue(bus)
    stand_in.events.create_event_bus(Name=bus)
    stand_in.events.put_rule(
        Name=bus, EventBusName=bus, EventPattern=orjson.dumps(pattern).decode()
    )
    stand_in.events.put_targets(Rule=bus, EventBusName=bus, Targets=[{"Id": "q", "Arn": arn}])
    return url


def test_events_arrive_whole_in_tens(stand_in: Aws) -> None:
    url = rule(stand_in, "whole", {"source": ["statestore"]})
    events = [event(number) for number in range(1, 24)]
    assert asyncio.run(EventBridgeSink("whole", stand_in.events).send(events)) == [None] * 23
    arrived = stand_in.received(url, lambda body: body)
    assert sorted(one["detail"]["event_id"] for one in arrived) == [one.event_id for one in events]
    (first,) = [one for one in arrived if one["detail"]["event_id"] == events[0].event_id]
    assert first["detail"] == events[0].document()
    assert first["detail-type"] == "SIGNAL_STATE_CHANGED"
    assert first["time"].startswith(f"{NOON:%Y-%m-%dT%H:%M:%S}")


def test_rules_match_what_an_event_says(stand_in: Aws) -> None:
    url = rule(stand_in, "matched", {"detail": {"dataset_urn": [event(2).dataset]}})
    asyncio.run(EventBridgeSink("matched", stand_in.events).send([event(1), event(2), event(3)]))
    assert stand_in.received(url, lambda body: body["detail"]) == [event(2).document()]


class Choosy:
    """Takes some, as EventBridge may."""

    def put_events(self, **_: Any) -> dict[str, Any]:
        return {
            "FailedEntryCount": 3,
            "Entries": [
                {"ErrorCode": "MalformedDetail", "ErrorMessage": "bad"},
                {"EventId": "1"},
                {"ErrorCode": "ThrottlingException"},
                {"ErrorCode": "NotHeardOfYet"},
            ],
        }


def test_what_becomes_of_each_is_told_one_by_one() -> None:
    sink = EventBridgeSink("bus", Choosy())  # type: ignore[arg-type]  # as far as used
    assert asyncio.run(sink.send([event(1), event(2), event(3), event(4)])) == [
        Refusal("MalformedDetail: bad", for_good=True),
        None,
        Refusal("ThrottlingException: ", for_good=False),
        Refusal("NotHeardOfYet: ", for_good=False),
    ]


def test_no_connection_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "AWS_ACCESS_KEY_ID": "local",
        "AWS_SECRET_ACCESS_KEY": "not-a-secret",
        "AWS_REGION": "us-east-1",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL_EVENTS": "http://127.0.0.1:1",
        "AWS_ENDPOINT_URL_EVENTBRIDGE": "http://127.0.0.1:1",
    }.items():
        monkeypatch.setenv(name, value)
    sink = open_eventbridge("default")
    answers = asyncio.run(sink.send([event(1), event(2)]))
    assert [type(one) for one in answers] == [Away, Away]
    asyncio.run(sink.close())


def test_a_profile_that_is_not_there_is_told_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "no-such-profile")
    with pytest.raises(Unavailable, match="no-such-profile"):
        open_eventbridge("default")
