"""What signal engines report: one evaluation, or many."""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Response

from application.signals.commands import SignalUpdated
from domain.errors import Invalid, Violation
from domain.signal.report import SignalReport
from domain.versions import ANY_VERSION
from domain.violations import refuse_any
from entrypoints.http.authentication import Writer
from entrypoints.http.dependencies import Use
from entrypoints.http.description.responses import ETAG, POSITION, REPLAY, answers, success, takes
from entrypoints.http.signals.requests import (
    MOST_UPDATES,
    SignalBatchItem,
    SignalBatchRequest,
    SignalUpdate,
)
from entrypoints.http.signals.update_responses import (
    SignalBatchResponse,
    SignalBatchResult,
    SignalUpdateResponse,
)
from entrypoints.http.validation.json_body import reader
from entrypoints.http.validation.models import Read, read
from entrypoints.http.validation.names import API, SignalTypeInPath, UrnInPath, unlike_path
from entrypoints.http.validation.preconditions import (
    Expected,
    IfMatch,
    parse_expected,
    version_tag,
)
from entrypoints.http.written import written

router = APIRouter(prefix=API, tags=["signals"])


@router.put(
    "/datasets/{urn}/signals/{signal_type}",
    operation_id="updateSignal",
    summary="Report the evaluation of a window",
    responses=answers(409, 412, body=True) | success(POSITION, ETAG, REPLAY),
    openapi_extra=takes(SignalUpdate),
)
async def update(
    response: Response,
    by: Writer,
    urn: UrnInPath,
    signal_type: SignalTypeInPath,
    sent: Annotated[Read[SignalUpdate], Depends(reader(SignalUpdate))],
    use: Use,
    if_match: IfMatch = None,
) -> SignalUpdateResponse:
    body = sent.body
    wanted = parse_expected(if_match, body.expected_version)
    unreadable = (
        *sent.violations,
        *unlike_path("dataset_urn", body.dataset_urn, urn),
        *unlike_path("signal_type", body.signal_type, signal_type),
        *wanted.violations,
        *_any_version(wanted),
    )
    report = body.report(urn, signal_type, wanted.version, unreadable)
    with wanted.checked():
        updated = await use.update_signal(report, by=by)
    written(response, updated.position, replayed=updated.replayed)
    response.headers["ETag"] = version_tag(updated.version)
    return SignalUpdateResponse.of(updated)


@router.post(
    "/signals/batch",
    operation_id="updateSignals",
    summary="Report many evaluations",
    description=f"At most {MOST_UPDATES}. Each succeeds or fails by itself.",
    responses=answers(body=True) | success(POSITION),
    openapi_extra=takes(SignalBatchRequest),
)
async def batch(
    response: Response,
    by: Writer,
    sent: Annotated[Read[SignalBatchRequest], Depends(reader(SignalBatchRequest))],
    use: Use,
) -> SignalBatchResponse:
    updates = sent.body.updates or []
    refuse_any(sent.violations, _too_many(updates))
    items = [_item(update, index) for index, update in enumerate(updates)]
    outcomes = await use.update_signals([_report(item) for item in items], by=by)
    positions = [one.position for one in outcomes if isinstance(one, SignalUpdated)]
    if positions:
        written(response, max(positions))
    return SignalBatchResponse.of(
        [
            SignalBatchResult.of(outcome, item.body.dataset_urn, item.body.signal_type)
            for outcome, item in zip(outcomes, items, strict=True)
        ]
    )


def _any_version(wanted: Expected) -> Sequence[Violation]:
    if not wanted.in_header or wanted.version != ANY_VERSION:
        return ()
    return (Violation("If-Match", "UNSUPPORTED", "must name a version of the signal"),)


def _item(update: Any, index: int) -> Read[SignalBatchItem]:
    try:
        return read(SignalBatchItem, update, place=f"updates[{index}]")
    except Invalid as error:
        return Read(SignalBatchItem(), error.violations)


def _report(item: Read[SignalBatchItem]) -> SignalReport:
    body = item.body
    return body.report(
        body.dataset_urn or "",
        body.signal_type or "",
        body.expected_version,
        tuple(item.violations),
    )


def _too_many(updates: Sequence[Any]) -> Sequence[Violation]:
    if len(updates) <= MOST_UPDATES:
        return []
    return [Violation("updates", "TOO_MANY", f"must be at most {MOST_UPDATES}")]
