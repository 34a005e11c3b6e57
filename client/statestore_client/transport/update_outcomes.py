"""
What became of a signal update that was sent again, because no answer came to an earlier try.

What the store says to the last try need not be true of an earlier one. With a key the store itself
tells them apart. Without one the signal's history does: an update that was stored on the version it
expected has made the next one.
"""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime

from statestore_client.errors import InvalidRequest, NotFound, StateStoreError, VersionConflict
from statestore_client.messages import signals_pb2 as pb
from statestore_client.models.answers import ANY_VERSION
from statestore_client.models.signals import (
    Evaluation,
    PastEvaluation,
    SignalState,
    SignalUpdate,
    SignalUpdated,
)
from statestore_client.options import Reading
from statestore_client.streaming.outcomes import Outcome
from statestore_client.transport.attempts import is_decided, unknown
from statestore_client.transport.calls import Calls, left_until
from statestore_client.transport.translation import put, told


async def settled(
    calls: Calls, update: SignalUpdate, outcome: Outcome, *, key: str | None, deadline: float
) -> Outcome:
    """The outcome of all tries together, given that of the last one."""
    if isinstance(outcome, SignalUpdated):
        return outcome
    if key is None:
        return await _looked_up(calls, update, outcome, deadline)
    if is_decided(outcome, key):
        return outcome
    return unknown("an earlier try may have been done", outcome, key)


async def _looked_up(
    calls: Calls, update: SignalUpdate, outcome: StateStoreError, deadline: float
) -> Outcome:
    try:
        async for past in _history(calls, update, deadline):
            if _is_stored(past, update):
                return await _stored_before(calls, update, past, deadline)
    except (NotFound, InvalidRequest):
        pass
    except StateStoreError as error:
        return unknown("it may have been done before, and looking failed", error, None)
    if _has_passed(outcome, update) or is_decided(outcome, None):
        return outcome
    return unknown("an earlier try may be on its way", outcome, None)


def _has_passed(outcome: StateStoreError, update: SignalUpdate) -> bool:
    """Whether the expected version is over. One that is still to come may yet be reached."""
    current = outcome.current_version if isinstance(outcome, VersionConflict) else None
    return current is not None and current > update.expected_version


async def _history(
    calls: Calls, update: SignalUpdate, deadline: float
) -> AsyncIterator[PastEvaluation]:
    request = pb.GetSignalHistoryRequest(
        dataset_urn=update.dataset_urn, signal_type=update.signal_type
    )
    put(request, "from", _to_millisecond(update.evaluation.window_end))
    put(request, "to", _to_millisecond(update.evaluation.window_end))
    path, answer = "SignalStateService/GetSignalHistory", pb.GetSignalHistoryResponse
    # The history is read from the log, and shows everything that was stored.
    while True:
        page = await calls.read(path, request, answer, _until(deadline))
        for one in page.evaluations:
            yield told(PastEvaluation, one)
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


async def _stored_before(
    calls: Calls, update: SignalUpdate, past: PastEvaluation, deadline: float
) -> SignalUpdated:
    request = pb.GetSignalStateRequest(
        dataset_urn=update.dataset_urn, signal_type=update.signal_type
    )
    path, how = "SignalStateService/GetSignalState", _until(deadline)
    now = told(
        SignalState, await calls.read(path, request, pb.SignalState, {**how, "strong": True})
    )
    position = now.answer.position if now.answer else ""
    calls.positions.told(position)
    return SignalUpdated(
        new_version=past.version,
        state=now.state,
        previous_state=now.previous_state,
        state_changed_at=now.state_changed_at,
        breach_start=now.evaluation.breach_start,
        is_current=_same(now.evaluation, update.evaluation),
        position=position,
        replayed=True,
    )


def _until(deadline: float) -> Reading:
    return {"timeout": left_until(deadline)}


def _is_stored(past: PastEvaluation, update: SignalUpdate) -> bool:
    """The same may have been said before, on an earlier version."""
    expected = update.expected_version
    made_by_it = expected == ANY_VERSION or past.version == expected + 1
    return made_by_it and _same(past.evaluation, update.evaluation)


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
