"""Signals: what engines report, and how the datasets are."""

from collections.abc import Sequence
from typing import Annotated, Any

from dependency_injector.wiring import inject
from fastapi import APIRouter, Depends, Query, Response

from application.ports.clock import Clock
from application.ports.feed import Feed
from application.projections.progress import Reached
from application.signal_reads import ListNotOk, ReadHealth, ReadHistory, ReadSignal
from application.signals import SignalUpdated, UpdateSignal, UpdateSignals
from application.violations import refuse_any
from domain.errors import Invalid, Violation
from domain.evaluation import State
from domain.signal_contract import SignalReport
from entrypoints.http.caller import By, Writer
from entrypoints.http.conditions import IfMatch, expected, version_tag
from entrypoints.http.datasets import PageSecret
from entrypoints.http.documented import ETAG, POSITION, REPLAY, answers, success, takes
from entrypoints.http.json_body import reader
from entrypoints.http.moments import moment_parameter
from entrypoints.http.names import (
    API,
    OwnerFilter,
    SignalTypeInPath,
    TierFilter,
    UrnInPath,
    dataset_named,
    same,
    signal_named,
)
from entrypoints.http.paging import Pages, PageSize, PageToken
from entrypoints.http.provided import provided
from entrypoints.http.reading import Read, read
from entrypoints.http.signal_answers import (
    BatchResult,
    DatasetHealthResponse,
    DatasetSignalsResponse,
    PastEvaluationAnswer,
    SignalBatchResponse,
    SignalHistoryResponse,
    SignalListResponse,
    SignalState,
    SignalUpdateResponse,
)
from entrypoints.http.signal_requests import (
    MOST_UPDATES,
    BatchItem,
    SignalBatchRequest,
    SignalUpdate,
)
from entrypoints.http.written import written

router = APIRouter(prefix=API, tags=["signals"])

Health = Annotated[ReadHealth, provided("read_health")]


@router.put(
    "/datasets/{urn}/signals/{signal_type}",
    operation_id="updateSignal",
    summary="Report the evaluation of a window",
    responses=answers(409, 412, body=True) | success(POSITION, ETAG, REPLAY),
    openapi_extra=takes(SignalUpdate),
)
@inject
async def update(
    response: Response,
    by: Writer,
    urn: UrnInPath,
    signal_type: SignalTypeInPath,
    sent: Annotated[Read[SignalUpdate], Depends(reader(SignalUpdate))],
    updating: Annotated[UpdateSignal, provided("update_signal")],
    if_match: IfMatch = None,
) -> SignalUpdateResponse:
    body, found = sent.body, list(sent.found)
    same("dataset_urn", body.dataset_urn, urn, found)
    same("signal_type", body.signal_type, signal_type, found)
    wanted = expected(if_match, body.expected_version, found)
    with wanted.checked():
        updated = await updating(body.report(urn, signal_type, wanted.version), by=by, found=found)
    written(response, updated.position, replayed=updated.replayed)
    response.headers["ETag"] = version_tag(updated.version)
    return SignalUpdateResponse.of(updated)


@router.get(
    "/datasets/{urn}/signals/{signal_type}",
    operation_id="getSignal",
    summary="Get a signal",
    responses=answers(404) | success(ETAG),
)
@inject
async def get(
    response: Response,
    by: By,
    urn: UrnInPath,
    signal_type: SignalTypeInPath,
    reading: Annotated[ReadSignal, provided("read_signal")],
) -> SignalState:
    found: list[Violation] = []
    dataset, kind = dataset_named(urn, found), signal_named(signal_type, found)
    refuse_any(found)
    card = await reading(dataset, kind, by=by)
    response.headers["ETag"] = version_tag(card.version)
    return SignalState.of(card)


@router.get(
    "/datasets/{urn}/signals",
    operation_id="getDatasetSignals",
    summary="Get all signals of a dataset",
    responses=answers(404),
)
@inject
async def of_dataset(by: By, urn: UrnInPath, reading: Health) -> DatasetSignalsResponse:
    found: list[Violation] = []
    dataset = dataset_named(urn, found)
    refuse_any(found)
    health = await reading(dataset, by=by)
    signals = [SignalState.of(card) for card in health.signals]
    return DatasetSignalsResponse(dataset_urn=dataset, signals=signals)


@router.get(
    "/datasets/{urn}/health",
    operation_id="getDatasetHealth",
    summary="How a dataset is",
    responses=answers(404),
)
@inject
async def health(
    by: By,
    urn: UrnInPath,
    reading: Health,
    feed: Annotated[Feed, provided("feed")],
    clock: Annotated[Clock, provided("clock")],
) -> DatasetHealthResponse:
    found: list[Violation] = []
    dataset = dataset_named(urn, found)
    refuse_any(found)
    told = await reading(dataset, by=by)
    return DatasetHealthResponse.of(told, await _age(told.reached, feed, clock))


@router.get(
    "/datasets/{urn}/signals/{signal_type}/history",
    operation_id="getSignalHistory",
    summary="Get the evaluations of a signal whose windows end within a span of time",
    responses=answers(404),
)
@inject
async def history(
    by: By,
    urn: UrnInPath,
    signal_type: SignalTypeInPath,
    reading: Annotated[ReadHistory, provided("read_history")],
    secret: PageSecret,
    since: Annotated[
        str | None, Query(alias="from", json_schema_extra={"format": "date-time"})
    ] = None,
    until: Annotated[
        str | None, Query(alias="to", json_schema_extra={"format": "date-time"})
    ] = None,
    page_token: PageToken = None,
    page_size: PageSize = 50,
) -> SignalHistoryResponse:
    found: list[Violation] = []
    dataset, kind = dataset_named(urn, found), signal_named(signal_type, found)
    pages = Pages(secret, ("history", urn, signal_type, since, until))
    start = moment_parameter("from", since, found)
    end = moment_parameter("to", until, found)
    wanted = pages.request(page_size, page_token, found)
    refuse_any(found)
    page = await reading(dataset, kind, since=start, until=end, page=wanted, by=by)
    return SignalHistoryResponse(
        evaluations=[PastEvaluationAnswer.of(past) for past in page.items],
        next_page_token=pages.token(page.next),
    )


@router.post(
    "/signals/batch",
    operation_id="updateSignals",
    summary="Report many evaluations",
    description=f"At most {MOST_UPDATES}. Each succeeds or fails by itself.",
    responses=answers(body=True) | success(POSITION),
    openapi_extra=takes(SignalBatchRequest),
)
@inject
async def batch(
    response: Response,
    by: Writer,
    sent: Annotated[Read[SignalBatchRequest], Depends(reader(SignalBatchRequest))],
    updating: Annotated[UpdateSignals, provided("update_signals")],
) -> SignalBatchResponse:
    updates = sent.body.updates or []
    refuse_any(sent.found, _too_many(updates))
    items = [_item(update, index) for index, update in enumerate(updates)]
    outcomes = await updating([(_report(item.body), item.found) for item in items], by=by)
    positions = [one.position for one in outcomes if isinstance(one, SignalUpdated)]
    if positions:
        written(response, max(positions))
    return SignalBatchResponse.of(
        [
            BatchResult.of(outcome, item.body.dataset_urn, item.body.signal_type)
            for outcome, item in zip(outcomes, items, strict=True)
        ]
    )


@router.get(
    "/signals",
    operation_id="listSignals",
    summary="List the signals that are not OK",
    description="CRITICAL and WARNING ones, if nothing else is asked for; the worst state and "
    "the most important tier first.",
    responses=answers(),
)
@inject
async def not_ok(
    by: By,
    listing: Annotated[ListNotOk, provided("list_not_ok")],
    secret: PageSecret,
    state: Annotated[list[State], Query(description="May be repeated. OK cannot be listed.")] = [],  # noqa: B006  # FastAPI copies it
    tier: TierFilter = None,
    owner_team: OwnerFilter = None,
    page_token: PageToken = None,
    page_size: PageSize = 50,
) -> SignalListResponse:
    found: list[Violation] = list(_ok_asked(state))
    states = sorted(set(state))
    pages = Pages(secret, ("signals", states, tier, owner_team))
    wanted = pages.request(page_size, page_token, found)
    refuse_any(found)
    page = await listing(states, wanted, tier=tier, owner_team=owner_team, by=by)
    return SignalListResponse(
        signals=[SignalState.of(card) for card in page.items],
        next_page_token=pages.token(page.next),
    )


async def _age(reached: Reached, feed: Feed, clock: Clock) -> float:
    """How old what a projection shows may be at most."""
    if reached.at is None or reached.position >= await feed.head():
        return 0.0
    return max((clock.now() - reached.at).total_seconds(), 0.0)


def _item(update: Any, index: int) -> Read[BatchItem]:
    try:
        return read(BatchItem, update, place=f"updates[{index}]")
    except Invalid as error:
        return Read(BatchItem(), error.violations)


def _report(item: BatchItem) -> SignalReport:
    return item.report(item.dataset_urn or "", item.signal_type or "", item.expected_version)


def _too_many(updates: Sequence[Any]) -> Sequence[Violation]:
    if len(updates) <= MOST_UPDATES:
        return []
    return [Violation("updates", "TOO_MANY", f"must be at most {MOST_UPDATES}")]


def _ok_asked(states: Sequence[State]) -> Sequence[Violation]:
    if State.OK not in states:
        return []
    said = "must not be OK: what is well is not indexed; ask for a dataset's signals"
    return [Violation("state", "UNSUPPORTED", said)]
