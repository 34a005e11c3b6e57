"""Datasets: registering, looking up, changing, taking out of service and bringing back."""

from typing import Annotated

from dependency_injector.wiring import inject
from fastapi import APIRouter, Depends, Query, Response

from application.caller import Caller
from application.dataset_reads import ListDatasets, ListVersions, ReadDataset
from application.datasets import (
    DatasetChanged,
    RegisterDataset,
    RestoreDataset,
    RetireDataset,
    UpdateDataset,
)
from application.errors import ApplicationError
from application.ports.registry import DatasetFilter
from application.violations import refuse_any
from domain.errors import DomainError, Violation
from entrypoints.http.caller import BodilessWriter, By, Writer
from entrypoints.http.conditions import (
    ANY_VERSION,
    IfMatch,
    IfNoneMatch,
    dataset_tag,
    expected,
    matches,
)
from entrypoints.http.dataset_answers import (
    DatasetConfig,
    DatasetListResponse,
    DatasetVersionsResponse,
)
from entrypoints.http.dataset_requests import CreateDatasetRequest, UpdateDatasetRequest
from entrypoints.http.documented import ETAG, LOCATION, POSITION, answers, success, takes
from entrypoints.http.json_body import reader
from entrypoints.http.names import API, OwnerFilter, TierFilter, UrnInPath, dataset_named, same
from entrypoints.http.paging import Pages, PageSize, PageToken
from entrypoints.http.provided import provided
from entrypoints.http.reading import Read
from entrypoints.http.written import written

router = APIRouter(prefix=API, tags=["datasets"])

Reading = Annotated[ReadDataset, provided("read_dataset")]
PageSecret = Annotated[bytes, provided("page_secret")]


@router.get(
    "/datasets",
    operation_id="listDatasets",
    summary="List all registered datasets",
    responses=answers(),
)
@inject
async def list_all(
    by: By,
    listing: Annotated[ListDatasets, provided("list_datasets")],
    secret: PageSecret,
    tier: TierFilter = None,
    owner_team: OwnerFilter = None,
    retired: Annotated[bool, Query(description="List retired datasets instead.")] = False,
    page_token: PageToken = None,
    page_size: PageSize = 50,
) -> DatasetListResponse:
    found: list[Violation] = []
    pages = Pages(secret, ("datasets", tier, owner_team, retired))
    wanted = pages.request(page_size, page_token, found)
    refuse_any(found)
    page = await listing(DatasetFilter(tier, owner_team, retired), wanted, by=by)
    return DatasetListResponse(
        datasets=[DatasetConfig.of(card) for card in page.items],
        next_page_token=pages.token(page.next),
    )


@router.post(
    "/datasets",
    operation_id="registerDataset",
    summary="Register a new dataset",
    status_code=201,
    responses=answers(409, body=True) | success(POSITION, ETAG, LOCATION, status=201),
    openapi_extra=takes(CreateDatasetRequest),
)
@inject
async def register(
    response: Response,
    by: Writer,
    sent: Annotated[Read[CreateDatasetRequest], Depends(reader(CreateDatasetRequest))],
    registering: Annotated[RegisterDataset, provided("register_dataset")],
    reading: Reading,
) -> DatasetConfig:
    body = sent.body
    changed = await registering(body.dataset_urn or "", body.settings(), by=by, found=sent.found)
    response.headers["Location"] = f"{API}/datasets/{changed.dataset}"
    return await _after(changed, response, reading, by)


@router.get(
    "/datasets/{urn}",
    operation_id="getDataset",
    summary="Get dataset configuration",
    responses=answers(304, 404) | success(ETAG),
    response_model=DatasetConfig,
)
@inject
async def get(
    response: Response,
    by: By,
    urn: UrnInPath,
    reading: Reading,
    version: Annotated[
        str,
        Query(
            description="A config version, or LATEST.",
            json_schema_extra={"pattern": "^(LATEST|[1-9][0-9]{0,14})$"},
        ),
    ] = "LATEST",
    if_none_match: IfNoneMatch = None,
) -> DatasetConfig | Response:
    found: list[Violation] = []
    dataset, number = dataset_named(urn, found), _version(version, found)
    refuse_any(found)
    card = await reading(dataset, number, by=by)
    tag = dataset_tag(card)
    if matches(if_none_match, tag):
        return Response(status_code=304, headers={"ETag": tag})
    response.headers["ETag"] = tag
    return DatasetConfig.of(card)


@router.put(
    "/datasets/{urn}",
    operation_id="updateDataset",
    summary="Update dataset configuration",
    responses=answers(404, 409, 412, body=True) | success(POSITION, ETAG),
    openapi_extra=takes(UpdateDatasetRequest),
)
@inject
async def update(
    response: Response,
    by: Writer,
    urn: UrnInPath,
    sent: Annotated[Read[UpdateDatasetRequest], Depends(reader(UpdateDatasetRequest))],
    updating: Annotated[UpdateDataset, provided("update_dataset")],
    reading: Reading,
    if_match: IfMatch = None,
) -> DatasetConfig:
    body, found = sent.body, list(sent.found)
    dataset = dataset_named(urn, found)
    same("dataset_urn", body.dataset_urn, urn, found)
    wanted = expected(if_match, body.expected_version, found)
    version = body.config_version if wanted.version is None else wanted.version
    if version is None:
        found.append(_no_version())
    if "tier" in body.named and body.tier is None:
        found.append(Violation("tier", "REQUIRED", "is required"))
    with wanted.checked():
        changed = await updating(
            dataset,
            body.named,
            body.settings(),
            expected_version=ANY_VERSION if version is None else version,
            by=by,
            found=found,
        )
    return await _after(changed, response, reading, by)


@router.delete(
    "/datasets/{urn}",
    operation_id="retireDataset",
    summary="Take a dataset out of service",
    description="Its history stays and it can be restored. Repeating this changes nothing.",
    responses=answers(404, 409, 412) | success(POSITION, ETAG),
)
@inject
async def retire(
    response: Response,
    by: BodilessWriter,
    urn: UrnInPath,
    retiring: Annotated[RetireDataset, provided("retire_dataset")],
    reading: Reading,
    if_match: IfMatch = None,
) -> DatasetConfig:
    found: list[Violation] = []
    dataset, wanted = dataset_named(urn, found), expected(if_match, None, found)
    refuse_any(found)
    with wanted.checked():
        version = ANY_VERSION if wanted.version is None else wanted.version
        changed = await retiring(dataset, by=by, expected_version=version)
    return await _after(changed, response, reading, by)


@router.post(
    "/datasets/{urn}/restore",
    operation_id="restoreDataset",
    summary="Bring a retired dataset back",
    responses=answers(404, 409, 412) | success(POSITION, ETAG),
)
@inject
async def restore(
    response: Response,
    by: BodilessWriter,
    urn: UrnInPath,
    restoring: Annotated[RestoreDataset, provided("restore_dataset")],
    reading: Reading,
    if_match: IfMatch = None,
) -> DatasetConfig:
    found: list[Violation] = []
    dataset, wanted = dataset_named(urn, found), expected(if_match, None, found)
    refuse_any(found)
    with wanted.checked():
        version = ANY_VERSION if wanted.version is None else wanted.version
        changed = await restoring(dataset, by=by, expected_version=version)
    return await _after(changed, response, reading, by)


@router.get(
    "/datasets/{urn}/versions",
    operation_id="listDatasetVersions",
    summary="List all versions of a dataset's configuration",
    responses=answers(404),
)
@inject
async def versions(
    by: By,
    urn: UrnInPath,
    listing: Annotated[ListVersions, provided("list_versions")],
    secret: PageSecret,
    page_token: PageToken = None,
    page_size: PageSize = 50,
) -> DatasetVersionsResponse:
    found: list[Violation] = []
    dataset, pages = dataset_named(urn, found), Pages(secret, ("versions", urn))
    wanted = pages.request(page_size, page_token, found)
    refuse_any(found)
    page = await listing(dataset, wanted, by=by)
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


def _no_version() -> Violation:
    return Violation(
        "expected_version", "REQUIRED", "is required, here or as If-Match or config_version"
    )


async def _after(
    changed: DatasetChanged, response: Response, reading: ReadDataset, by: Caller
) -> DatasetConfig:
    """The dataset as it was decided, with its dates if the register knows them by now."""
    written(response, changed.position)
    config = changed.config
    response.headers["ETag"] = f'"{config.config_version}"'
    try:
        card = await reading(changed.dataset, config.config_version, by=by)
    except (DomainError, ApplicationError):
        return DatasetConfig.of_change(changed)
    if card.status is not config.status:
        return DatasetConfig.of_change(changed)
    response.headers["ETag"] = dataset_tag(card)
    return DatasetConfig.of(card)
