"""
Events published to an SNS topic, ten at a time (S0-207, S0-255).

Subscriptions can filter by the attributes `event_type` and `dataset_urn`. On a FIFO topic the
stream is the message group, so that its order holds up to the queue behind the topic, and the
event id is what SNS knows a repeated event by.
"""

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import orjson
from attrs import Factory, define, field
from botocore.exceptions import BotoCoreError, ClientError

from adapters.aws.batches_of_ten import HURRIED, Tens
from adapters.dynamodb.transport.credentials import aws_session
from adapters.dynamodb.transport.errors import Away as Unreachable
from application.delivery.event import Event
from application.delivery.sink import Answer, Away, Refusal
from application.errors import Unavailable
from domain.streams import StreamId

if TYPE_CHECKING:
    from mypy_boto3_sns import SNSClient
    from mypy_boto3_sns.type_defs import PublishBatchRequestEntryTypeDef

LONGEST_GROUP = 128


def open_sns(topic: str) -> "SnsSink":
    """A sink in the topic's own region. Nothing is sent yet.

    Raises:
        Unavailable: The surroundings' settings of AWS cannot be used.
    """
    try:
        session = aws_session(region=topic.split(":")[3])
        client: SNSClient = session.client("sns", config=HURRIED)
    except (BotoCoreError, Unreachable) as error:
        raise Unavailable("SNS", str(error)) from error
    return SnsSink(topic, client)


@define
class SnsSink:
    topic: str
    client: "SNSClient"
    name: str = "sns"
    _tens: Tens = field(
        init=False, default=Factory(lambda self: Tens(self._publish), takes_self=True)
    )

    async def send(self, events: Sequence[Event]) -> Sequence[Answer]:
        return await self._tens.send(events)

    async def close(self) -> None:
        self._tens.close()

    def _publish(self, events: Sequence[Event]) -> Sequence[Answer]:
        try:
            answer = self.client.publish_batch(
                TopicArn=self.topic,
                PublishBatchRequestEntries=[
                    self._entry(number, event) for number, event in enumerate(events)
                ],
            )
        except (BotoCoreError, ClientError) as error:
            return [Away(str(error))] * len(events)
        failed = {one["Id"]: _refusal(one) for one in answer.get("Failed", ())}
        return [failed.get(str(number)) for number in range(len(events))]

    def _entry(self, number: int, event: Event) -> "PublishBatchRequestEntryTypeDef":
        entry: PublishBatchRequestEntryTypeDef = {
            "Id": str(number),
            "Message": orjson.dumps(event.document()).decode(),
            "MessageAttributes": {
                "event_type": {"DataType": "String", "StringValue": event.event_type.value},
                "dataset_urn": {"DataType": "String", "StringValue": event.dataset},
            },
        }
        if self.topic.endswith(".fifo"):
            entry["MessageGroupId"] = message_group(event.stream)
            entry["MessageDeduplicationId"] = event.event_id
        return entry


def message_group(stream: StreamId) -> str:
    """The stream's name, or what stands for it where that is longer than SNS allows."""
    if len(stream) <= LONGEST_GROUP:
        return stream
    return hashlib.sha256(stream.encode()).hexdigest()


def _refusal(failed: Any) -> Refusal:
    reason = f"{failed['Code']}: {failed.get('Message', '')}"
    return Refusal(reason, for_good=bool(failed["SenderFault"]))
