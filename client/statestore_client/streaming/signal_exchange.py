"""
Signal updates over a stream.

Nothing is done twice: the same content about a window changes nothing, and what expects a version
that has passed is a conflict. A conflict of an update that was sent again is looked into before it
is told.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from google.protobuf.message import Message

from statestore_client.messages import signals_pb2 as pb
from statestore_client.models.signals import SignalUpdate, SignalUpdated
from statestore_client.streaming.in_flight import Bounds
from statestore_client.streaming.outcomes import Outcome, Report, outcome_of, report
from statestore_client.streaming.send_queue import Standing
from statestore_client.transport.calls import Calls
from statestore_client.transport.failures import Failure
from statestore_client.transport.update_outcomes import settled


@dataclass(frozen=True, slots=True)
class SignalDialogue:
    calls: Calls
    bounds: ClassVar[Bounds] = Bounds(window=100, in_one=100)
    path: ClassVar[str] = "SignalStateService/StreamSignalStateUpdates"
    request: ClassVar[type[Message]] = pb.StreamSignalStateUpdatesRequest
    answer: ClassVar[type[Message]] = pb.StreamSignalStateUpdatesResponse

    def prepared(self, update: SignalUpdate) -> Report:
        return report(update)

    def message(self, reports: Sequence[Report]) -> pb.StreamSignalStateUpdatesRequest:
        return pb.StreamSignalStateUpdatesRequest(updates=[one.request for one in reports])

    def window(self, answer: pb.StreamSignalStateUpdatesResponse) -> int:
        return answer.window

    def nothing_done(self, failed: Failure) -> bool:
        """Before a stream ends with a word of the store's, all that was done is answered.

        Of a message that is too large the store never hears.
        """
        return failed.undone and failed.error.code != "TOO_LARGE"

    async def outcome(
        self,
        one: Standing[Report, SignalUpdated],
        result: pb.UpdateSignalStateResponse,
        deadline: float,
    ) -> Outcome:
        self.calls.positions.told(result.position)
        outcome = outcome_of(result)
        if one.sent <= 1:
            return outcome
        return await settled(self.calls, one.item.update, outcome, key=None, deadline=deadline)
