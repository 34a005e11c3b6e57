"""
Events put on an EventBridge bus, ten at a time (S0-255, S0-331).

Rules can match `source` (statestore), `detail-type` (the event's type) and whatever the event says,
such as `detail.dataset_urn`. EventBridge promises no order: `position` in the detail tells it.
"""

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

if TYPE_CHECKING:
    from mypy_boto3_events import EventBridgeClient
    from mypy_boto3_events.type_defs import PutEventsRequestEntryTypeDef

SOURCE = "statestore"

_OUR_FAULT = ("InvalidArgument", "MalformedDetail")
"""The event itself is wrong. Whatever else it may be, trying again may help."""


def open_eventbridge(bus: str) -> "EventBridgeSink":
    """Nothing is sent yet.

    Raises:
        Unavailable: The surroundings name no region, or cannot be used.
    """
    try:
        client: EventBridgeClient = aws_session().client("events", config=HURRIED)
    except (BotoCoreError, Unreachable) as error:
        raise Unavailable("EventBridge", str(error)) from error
    return EventBridgeSink(bus, client)


@define
class EventBridgeSink:
    bus: str
    client: "EventBridgeClient"
    name: str = "eventbridge"
    _tens: Tens = field(init=False, default=Factory(lambda self: Tens(self._put), takes_self=True))

    async def send(self, events: Sequence[Event]) -> Sequence[Answer]:
        return await self._tens.send(events)

    async def close(self) -> None:
        self._tens.close()

    def _put(self, events: Sequence[Event]) -> Sequence[Answer]:
        try:
            answer = self.client.put_events(Entries=[self._entry(event) for event in events])
        except (BotoCoreError, ClientError) as error:
            return [Away(str(error))] * len(events)
        return [_answer(one) for one in answer["Entries"]]

    def _entry(self, event: Event) -> "PutEventsRequestEntryTypeDef":
        return {
            "EventBusName": self.bus,
            "Source": SOURCE,
            "DetailType": event.event_type.value,
            "Detail": orjson.dumps(event.document()).decode(),
            "Time": event.at,
        }


def _answer(entry: Any) -> Answer:
    """What became of one entry: some of a call may be taken and others not."""
    if "ErrorCode" not in entry:
        return None
    reason = f"{entry['ErrorCode']}: {entry.get('ErrorMessage', '')}"
    return Refusal(reason, for_good=entry["ErrorCode"] in _OUR_FAULT)
