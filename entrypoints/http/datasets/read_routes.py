"""Looking datasets up: one, all, and how one was configured before."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from application.datasets.read_model import DatasetFilter
from application.violations import refuse_any
from domain.errors import Violation
from entrypoints.http.authentication import By
from entrypoints.http.datasets.responses import (
    DatasetConfig,
    DatasetListResponse,
    DatasetVersionsResponse,
)
from entrypoints.http.dependencies import PageSecret, Use
from entrypoints.http.description.responses import ETAG, reads
from entrypoints.http.validation.consistency import At, StrongAt
from entrypoints.http.validation.names import API, OwnerFilter, TierFilter, UrnInPath
from entrypoints.http.validation.paging import PageSize, PageToken
from entrypoints.http.validation.preconditions import IfNoneMatch, dataset_tag, matches
from entrypoints.interfaces.names import dataset_named
from entrypoints.interfaces.page_tokens import Pages

router = APIRouter(prefix=API, tags=["datasets"])


@router.get(
    "/datasets",
    operation_id="listDatasets",
    summary="List all registered datasets",
    responses=reads(),
)
async def list_all(
    by: By,
    use: Use,
    secret: PageSecret,
    at: At,
    tier: TierFilter = None,
    owner_team: OwnerFilter = None,
    retired: Annotated[bool, Query(description="List retired datasets instead.")] = False,
    page_token: PageToken = None,
    page_size: PageSize = 50,
) -> DatasetListResponse:
    found = [*at.violations]
    pages = Pages(secret, ("datasets", tier, owner_team, retired, at.moment))
    wanted = pages.request(page_size, page_token, found)
    refuse_any(found)
    page = at.of(
        await use.list_datasets(
            DatasetFilter(tier, owner_team, retired), wanted, demand=at.demand, by=by
        )
    )
    return DatasetListResponse(
        datasets=[DatasetConfig.of(card) for card in page.items],
        next_page_token=pages.token(page.next),
    )


@router.get(
    "/datasets/{urn}",
    operation_id="getDataset",
    summary="Get dataset configuration",
    responses=reads(304, 404, headers=ETAG),
    response_model=DatasetConfig,
)
async def get(
    response: Response,
    by: By,
    urn: UrnInPath,
    use: Use,
    at: StrongAt,
    version: Annotated[
        str,
        Query(
            description="A config version, or LATEST.",
            json_schema_extra={"pattern": "^(LATEST|[1-9][0-9]{0,14})$"},
        ),
    ] = "LATEST",
    if_none_match: IfNoneMatch = None,
) -> DatasetConfig | Response:
    found = [*at.violations]
    dataset, number = dataset_named(urn, found), _version(version, found)
    refuse_any(found)
    card = at.of(await use.read_dataset(dataset, number, demand=at.demand, by=by))
    response.headers["ETag"] = tag = dataset_tag(card)
    if matches(if_none_match, tag):
        return Response(status_code=304, headers=dict(response.headers))
    return DatasetConfig.of(card)


@router.get(
    "/datasets/{urn}/versions",
    operation_id="listDatasetVersions",
    summary="List all versions of a dataset's configuration",
    responses=reads(404),
)
async def versions(
    by: By,
    urn: UrnInPath,
    use: Use,
    secret: PageSecret,
    at: At,
    page_token: PageToken = None,
    page_size: PageSize = 50,
) -> DatasetVersionsResponse:
    found = [*at.violations]
    dataset, pages = dataset_named(urn, found), Pages(secret, ("versions", urn, at.moment))
    wanted = pages.request(page_size, page_token, found)
    refuse_any(found)
    page = at.of(await use.list_versions(dataset, wanted, demand=at.demand, by=by))
    return DatasetVersionsResponse(
        versions=[DatasetConfig.of(card) for card in page.items],
        next_page_token=pages.token(page.next),
    )


def _version(text: str, found: list[Violation]) -> int | None:
    if text == "LATEST":
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        found.append(Violation("version", "MALFORMED", "must be LATEST or a version's number"))
        return None
    return int(text)
