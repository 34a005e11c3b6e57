"""How the datasets are: a signal, all of a dataset, what is not OK, and how it came about."""

from collections.abc import Sequence
from typing import Annotated

from dependency_injector.wiring import inject
from fastapi import APIRouter, Query, Response

from application.ports.clock import Clock
from application.ports.feed import Feed
from application.projections.progress import Reached
from application.signal_reads import ListNotOk, ReadHealth, ReadHistory, ReadSignal
from application.violations import refuse_any
from domain.errors import Violation
from domain.evaluation import State
from entrypoints.http.caller import By
from entrypoints.http.conditions import version_tag
from entrypoints.http.documented import ETAG, answers, success
from entrypoints.http.moments import moment_parameter
from entrypoints.http.names import (
    API,
    OwnerFilter,
    SignalTypeInPath,
    TierFilter,
    UrnInPath,
    dataset_named,
    signal_named,
)
from entrypoints.http.paging import Pages, PageSecret, PageSize, PageToken
from entrypoints.http.provided import provided
from entrypoints.http.signal_answers import (
    DatasetHealthResponse,
    DatasetSignalsResponse,
    PastEvaluationAnswer,
    SignalHistoryResponse,
    SignalListResponse,
    SignalState,
)

router = APIRouter(prefix=API, tags=["signals"])

Health = Annotated[ReadHealth, provided("read_health")]


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


async def _age(reached: Reached, feed: Feed, clock: Clock) -> float | None:
    """How old what a projection shows may be at most; nothing if that is not known."""
    if reached.position >= await feed.head():
        return 0.0
    if reached.at is None:
        return None
    return max((clock.now() - reached.at).total_seconds(), 0.0)


def _ok_asked(states: Sequence[State]) -> Sequence[Violation]:
    if State.OK not in states:
        return []
    said = "must not be OK: what is well is not indexed; ask for a dataset's signals"
    return [Violation("state", "UNSUPPORTED", said)]
