"""Events reach an SNS topic, and whoever subscribes to it (S0-207, S0-255)."""

import asyncio
from typing import Any

import orjson
import pytest
from botocore.exceptions import ClientError

from adapters.sns.sink import SnsSink, message_group, open_sns
from application.delivery.sink import Away, Refusal
from application.errors import Unavailable
from domain.streams import StreamId
from tests.adapters.aws_stand_in import Aws
from tests.adapters.sample_events import event


def message(body: dict[str, Any]) -> Any:
    return orjson.loads(body["Message"])


def test_events_arrive_whole_in_tens(stand_in: Aws) -> None:
    topic = stand_in.sns.create_topic(Name="whole")["TopicArn"]
    url, arn = stand_in.queue("whole")
    stand_in.sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn)
    events = [event(number) for number in range(1, 24)]
    assert asyncio.run(SnsSink(topic, stand_in.sns).send(events)) == [None] * 23
    arrived = stand_in.received(url, message)
    assert sorted(one["event_id"] for one in arrived) == [one.event_id for one in events]
    assert events[0].document() in arrived


def test_subscriptions_filter_by_type_and_dataset(stand_in: Aws) -> None:
    topic = stand_in.sns.create_topic(Name="filtered")["TopicArn"]
    url, arn = stand_in.queue("filtered")
    wanted = {"dataset_urn": [event(2).dataset], "event_type": ["SIGNAL_STATE_CHANGED"]}
    stand_in.sns.subscribe(
        TopicArn=topic,
        Protocol="sqs",
        Endpoint=arn,
        Attributes={"FilterPolicy": orjson.dumps(wanted).decode()},
    )
    asyncio.run(SnsSink(topic, stand_in.sns).send([event(1), event(2), event(3)]))
    assert stand_in.received(url, message) == [event(2).document()]


def test_a_fifo_topic_knows_repeated_events_and_keeps_streams_apart(stand_in: Aws) -> None:
    topic = stand_in.sns.create_topic(Name="order.fifo", Attributes={"FifoTopic": "true"})[
        "TopicArn"
    ]
    url, arn = stand_in.queue("order.fifo", FifoQueue="true")
    stand_in.sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn)
    sink = SnsSink(topic, stand_in.sns)
    for _ in range(2):
        assert asyncio.run(sink.send([event(1), event(2)])) == [None, None]
    found = stand_in.sqs.receive_message(
        QueueUrl=url, MaxNumberOfMessages=10, MessageSystemAttributeNames=["MessageGroupId"]
    )["Messages"]
    groups = {one["Attributes"]["MessageGroupId"] for one in found}
    assert groups == {event(1).stream, event(2).stream}
    assert len(found) == 2


def test_a_long_stream_has_a_short_group_of_its_own() -> None:
    one, other = (StreamId(f"signal-urn:dp:{'x' * 200}{end}") for end in "ab")
    assert message_group(StreamId("signal-urn")) == "signal-urn"
    assert len({message_group(one), message_group(other)}) == 2
    assert max(len(message_group(stream)) for stream in (one, other)) <= 128


class Choosy:
    """Takes some, as SNS may."""

    def publish_batch(self, **_: Any) -> dict[str, Any]:
        return {
            "Successful": [{"Id": "1", "MessageId": "m"}],
            "Failed": [
                {"Id": "0", "Code": "InvalidParameter", "Message": "bad", "SenderFault": True},
                {"Id": "2", "Code": "InternalError", "SenderFault": False},
            ],
        }


def test_what_becomes_of_each_is_told_one_by_one() -> None:
    sink = SnsSink("arn:aws:sns:us-east-1:1:t", Choosy())  # type: ignore[arg-type]  # as far as used
    assert asyncio.run(sink.send([event(1), event(2), event(3)])) == [
        Refusal("InvalidParameter: bad", for_good=True),
        None,
        Refusal("InternalError: ", for_good=False),
    ]


def test_a_topic_that_is_not_there_is_away(stand_in: Aws) -> None:
    sink = SnsSink("arn:aws:sns:us-east-1:123456789012:nowhere", stand_in.sns)
    (answer,) = asyncio.run(sink.send([event()]))
    assert isinstance(answer, Away)
    assert "NotFound" in answer.reason


def test_no_connection_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "AWS_ACCESS_KEY_ID": "local",
        "AWS_SECRET_ACCESS_KEY": "not-a-secret",
        "AWS_ENDPOINT_URL_SNS": "http://127.0.0.1:1",
    }.items():
        monkeypatch.setenv(name, value)
    sink = open_sns("arn:aws:sns:eu-central-1:123456789012:topic")
    assert sink.client.meta.region_name == "eu-central-1"
    answers = asyncio.run(sink.send([event(1), event(2)]))
    assert [type(one) for one in answers] == [Away, Away]
    asyncio.run(sink.close())


def test_a_profile_that_is_not_there_is_told_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "no-such-profile")
    with pytest.raises(Unavailable, match="no-such-profile"):
        open_sns("arn:aws:sns:eu-central-1:123456789012:topic")


def test_the_stand_in_refuses_what_sns_would(stand_in: Aws) -> None:
    with pytest.raises(ClientError):
        stand_in.sns.publish(TopicArn="arn:aws:sns:us-east-1:123456789012:nowhere", Message="x")
