"""What became of a signal update, told as data: how the signal stands then, or an error."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime

from statestore_client.calls import Calls
from statestore_client.errors import NotFound, OutcomeUnknown, StateStoreError, VersionConflict
from statestore_client.failures import told_error
from statestore_client.messages import signals_pb2 as pb
from statestore_client.models.answers import Violation
from statestore_client.models.signals import Evaluation, SignalState, SignalUpdate, SignalUpdated
from statestore_client.translation import put, tell, told

Outcome = SignalUpdated | StateStoreError


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


async def settled(calls: Calls, update: SignalUpdate, outcome: Outcome) -> Outcome:
    """The outcome of an update that was sent again without a key, because no answer came.

    A conflict may be with its own first try: if the history has the evaluation, that was it.
    What expects no version has no conflicts: the same content again changes nothing.
    """
    if not isinstance(outcome, VersionConflict):
        return outcome
    try:
        async for past in _history(calls, update):
            if _same(past, update.evaluation):
                return await _stored_before(calls, update)
    except NotFound:
        return outcome
    except StateStoreError as error:
        unknown = OutcomeUnknown(f"it may be in conflict with itself, and looking failed: {error}")
        unknown.__cause__ = error
        return unknown
    return outcome


async def _history(calls: Calls, update: SignalUpdate) -> AsyncIterator[Evaluation]:
    request = pb.GetSignalHistoryRequest(
        dataset_urn=update.dataset_urn, signal_type=update.signal_type
    )
    put(request, "from", _to_millisecond(update.evaluation.window_end))
    put(request, "to", _to_millisecond(update.evaluation.window_end))
    path, answer = "SignalStateService/GetSignalHistory", pb.GetSignalHistoryResponse
    async for page in calls.pages(path, request, answer, {}):
        for one in page.evaluations:
            yield told(Evaluation, one.evaluation)


async def _stored_before(calls: Calls, update: SignalUpdate) -> SignalUpdated:
    request = pb.GetSignalStateRequest(
        dataset_urn=update.dataset_urn, signal_type=update.signal_type
    )
    path = "SignalStateService/GetSignalState"
    now = told(SignalState, await calls.read(path, request, pb.SignalState, {"strong": True}))
    position = now.answer.position if now.answer else ""
    calls.positions.told(position)
    return SignalUpdated(
        new_version=update.expected_version + 1,
        state=now.state,
        previous_state=now.previous_state,
        state_changed_at=now.state_changed_at,
        breach_start=now.evaluation.breach_start,
        is_current=_same(now.evaluation, update.evaluation),
        position=position,
        replayed=True,
    )


def _same(stored: Evaluation, sent: Evaluation) -> bool:
    """Moments are stored to the millisecond, and the store says when the verdict was, if nobody
    else does."""
    return _compared(sent, sent.evaluated_at or stored.evaluated_at) == _compared(
        stored, stored.evaluated_at
    )


def _compared(one: Evaluation, evaluated_at: datetime | None) -> Evaluation:
    return replace(
        one,
        window_start=_to_millisecond(one.window_start),
        window_end=_to_millisecond(one.window_end),
        evaluated_at=evaluated_at and _to_millisecond(evaluated_at),
        evidence_sample=tuple(one.evidence_sample),
        breach_start=None,
        incident_id=None,
    )


def _to_millisecond(at: datetime) -> datetime:
    at = at.astimezone(UTC)
    return at.replace(microsecond=at.microsecond // 1000 * 1000)
