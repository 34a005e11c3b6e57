"""What became of a signal update, told as data: how the signal stands then, or an error."""

from dataclasses import dataclass

from statestore_client.errors import StateStoreError
from statestore_client.messages import signals_pb2 as pb
from statestore_client.models.answers import Violation
from statestore_client.models.signals import SignalUpdate, SignalUpdated
from statestore_client.transport.failures import told_error
from statestore_client.transport.translation import tell, told

Outcome = SignalUpdated | StateStoreError


@dataclass(frozen=True, slots=True)
class Report:
    """An update, and the message that says it."""

    update: SignalUpdate
    request: pb.UpdateSignalStateRequest


def report(update: SignalUpdate) -> Report:
    return Report(update, to_request(update))


def to_request(update: SignalUpdate) -> pb.UpdateSignalStateRequest:
    request = pb.UpdateSignalStateRequest()
    tell(update, request)
    return request


def outcome_of(answer: pb.UpdateSignalStateResponse) -> Outcome:
    if answer.success:
        return told(SignalUpdated, answer)
    violations = [told(Violation, one) for one in answer.violations]
    data = {"current_version": str(answer.current_version)}
    return told_error(answer.error_code, answer.error_message, data, violations)
