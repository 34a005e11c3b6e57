"""How the datasets are: a signal, all of a dataset, what is not OK, and how it came about."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Response

from application.violations import refuse_any
from domain.errors import Violation
from domain.signal.evaluation import SignalStateEnum
from entrypoints.http.authentication import By
from entrypoints.http.dependencies import PageSecret, Use
from entrypoints.http.description.responses import ETAG, reads
from entrypoints.http.signals.responses import (
    DatasetHealthResponse,
    DatasetSignalsResponse,
    PastEvaluation,
    SignalHistoryResponse,
    SignalListResponse,
    SignalState,
)
from entrypoints.http.validation.consistency import At, StrongAt
from entrypoints.http.validation.names import (
    API,
    OwnerFilter,
    SignalTypeInPath,
    TierFilter,
    UrnInPath,
)
from entrypoints.http.validation.paging import PageSize, PageToken
from entrypoints.http.validation.preconditions import version_tag
from entrypoints.http.validation.timestamps import moment_parameter
from entrypoints.interfaces.names import dataset_named, signal_named
from entrypoints.interfaces.page_tokens import Pages
from entrypoints.interfaces.timestamps import refuse_backwards

router = APIRouter(prefix=API, tags=["signals"])


@router.get(
    "/datasets/{urn}/signals/{signal_type}",
    operation_id="getSignal",
    summary="Get a signal",
    responses=reads(404, headers=ETAG),
)
async def get(
    response: Response,
    by: By,
    urn: UrnInPath,
    signal_type: SignalTypeInPath,
    use: Use,
    at: StrongAt,
) -> SignalState:
    found = [*at.violations]
    dataset, kind = dataset_named(urn, found), signal_named(signal_type, found)
    refuse_any(found)
    card = at.of(await use.read_signal(dataset, kind, demand=at.demand, by=by))
    response.headers["ETag"] = version_tag(card.version)
    return SignalState.model_validate(card)


@router.get(
    "/datasets/{urn}/signals",
    operation_id="getDatasetSignals",
    summary="Get all signals of a dataset",
    responses=reads(404),
)
async def of_dataset(by: By, urn: UrnInPath, use: Use, at: StrongAt) -> DatasetSignalsResponse:
    dataset = at.about(dataset_named, urn)
    health = at.of(await use.read_health(dataset, demand=at.demand, by=by))
    signals = [SignalState.model_validate(card) for card in health.signals]
    return DatasetSignalsResponse(dataset_urn=dataset, signals=signals)


@router.get(
    "/datasets/{urn}/health",
    operation_id="getDatasetHealth",
    summary="How a dataset is",
    responses=reads(404),
)
async def health(
    by: By,
    urn: UrnInPath,
    use: Use,
    at: StrongAt,
) -> DatasetHealthResponse:
    dataset = at.about(dataset_named, urn)
    answer = await use.read_health(dataset, demand=at.demand, by=by)
    at.of(answer)
    return DatasetHealthResponse.of(answer)


@router.get(
    "/datasets/{urn}/signals/{signal_type}/history",
    operation_id="getSignalHistory",
    summary="Get the evaluations of a signal whose windows end within a span of time",
    responses=reads(404),
)
async def history(
    by: By,
    urn: UrnInPath,
    signal_type: SignalTypeInPath,
    use: Use,
    secret: PageSecret,
    at: At,
    since: Annotated[
        str | None, Query(alias="from", json_schema_extra={"format": "date-time"})
    ] = None,
    until: Annotated[
        str | None, Query(alias="to", json_schema_extra={"format": "date-time"})
    ] = None,
    page_token: PageToken = None,
    page_size: PageSize = 50,
) -> SignalHistoryResponse:
    found = [*at.violations]
    dataset, kind = dataset_named(urn, found), signal_named(signal_type, found)
    pages = Pages(secret, ("history", urn, signal_type, since, until, at.moment))
    start = moment_parameter("from", since, found)
    end = moment_parameter("to", until, found)
    refuse_backwards(start, end, found)
    wanted = pages.request(page_size, page_token, found)
    refuse_any(found)
    page = at.of(
        await use.read_history(
            dataset, kind, since=start, until=end, page=wanted, demand=at.demand, by=by
        )
    )
    return SignalHistoryResponse(
        evaluations=[PastEvaluation.model_validate(past) for past in page.items],
        next_page_token=pages.token(page.next),
    )


@router.get(
    "/signals",
    operation_id="listSignals",
    summary="List the signals that are not OK",
    description="CRITICAL and WARNING ones, if nothing else is asked for; the worst state and "
    "the most important tier first.",
    responses=reads(),
)
async def not_ok(
    by: By,
    use: Use,
    secret: PageSecret,
    at: At,
    state: Annotated[
        list[SignalStateEnum], Query(description="May be repeated. OK cannot be listed.")
    ] = [],  # noqa: B006  # FastAPI copies it
    tier: TierFilter = None,
    owner_team: OwnerFilter = None,
    page_token: PageToken = None,
    page_size: PageSize = 50,
) -> SignalListResponse:
    found = [*at.violations, *_ok_asked(state)]
    states = sorted(set(state))
    pages = Pages(secret, ("signals", states, tier, owner_team, at.moment))
    wanted = pages.request(page_size, page_token, found)
    refuse_any(found)
    page = at.of(
        await use.list_not_ok(
            states, wanted, tier=tier, owner_team=owner_team, demand=at.demand, by=by
        )
    )
    return SignalListResponse(
        signals=[SignalState.model_validate(card) for card in page.items],
        next_page_token=pages.token(page.next),
    )


def _ok_asked(states: Sequence[SignalStateEnum]) -> Sequence[Violation]:
    if SignalStateEnum.OK not in states:
        return []
    said = "must not be OK: what is well is not indexed; ask for a dataset's signals"
    return [Violation("state", "UNSUPPORTED", said)]
