"""Datasets: registering, changing, taking out of service and bringing back."""

from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Depends, Response

from application.caller import Caller
from application.datasets.commands import DatasetChanged, RestoreDataset, RetireDataset
from application.datasets.queries import ReadDataset
from domain.dataset.settings_validation import DatasetReport, SettingsReport
from domain.errors import Violation
from domain.versions import ANY_VERSION
from domain.violations import refuse_any
from entrypoints.http.authentication import BodilessWriter, Writer
from entrypoints.http.datasets.requests import CreateDatasetRequest, UpdateDatasetRequest
from entrypoints.http.datasets.responses import DatasetConfig
from entrypoints.http.dependencies import Use
from entrypoints.http.description.responses import (
    ETAG,
    LOCATION,
    POSITION,
    REPLAY,
    answers,
    success,
    takes,
)
from entrypoints.http.validation.json_body import reader
from entrypoints.http.validation.models import Read
from entrypoints.http.validation.names import API, UrnInPath, unlike_path
from entrypoints.http.validation.preconditions import (
    IfMatch,
    dataset_tag,
    parse_expected,
    version_tag,
)
from entrypoints.http.written import written
from entrypoints.interfaces.names import parse_dataset
from entrypoints.interfaces.written_views import card_after

router = APIRouter(prefix=API, tags=["datasets"])


@router.post(
    "/datasets",
    operation_id="registerDataset",
    summary="Register a new dataset",
    status_code=201,
    responses=answers(409, body=True) | success(POSITION, ETAG, LOCATION, REPLAY, status=201),
    openapi_extra=takes(CreateDatasetRequest),
)
async def register(
    response: Response,
    by: Writer,
    sent: Annotated[Read[CreateDatasetRequest], Depends(reader(CreateDatasetRequest))],
    use: Use,
) -> DatasetConfig:
    body, unreadable = sent.body, tuple(sent.violations)
    report = DatasetReport(body.dataset_urn or "", body.settings(), unreadable)
    changed = await use.register_dataset(report, by=by)
    response.headers["Location"] = f"{API}/datasets/{changed.dataset}"
    return await _after(changed, response, use.read_dataset, by)


@router.put(
    "/datasets/{urn}",
    operation_id="updateDataset",
    summary="Update dataset configuration",
    responses=answers(404, 409, 412, body=True) | success(POSITION, ETAG, REPLAY),
    openapi_extra=takes(UpdateDatasetRequest),
)
async def update(
    response: Response,
    by: Writer,
    urn: UrnInPath,
    sent: Annotated[Read[UpdateDatasetRequest], Depends(reader(UpdateDatasetRequest))],
    use: Use,
    if_match: IfMatch = None,
) -> DatasetConfig:
    body, dataset = sent.body, parse_dataset(urn)
    wanted = parse_expected(if_match, body.expected_version)
    version = body.config_version if wanted.version is None else wanted.version
    unreadable = (
        *sent.violations,
        *dataset.violations,
        *unlike_path("dataset_urn", body.dataset_urn, urn),
        *wanted.violations,
        *_missing(body, version),
    )
    with wanted.checked():
        changed = await use.update_dataset(
            dataset.value,
            SettingsReport(body.settings(), body.named, unreadable),
            expected_version=ANY_VERSION if version is None else version,
            expected_status=wanted.status,
            by=by,
        )
    return await _after(changed, response, use.read_dataset, by)


@router.delete(
    "/datasets/{urn}",
    operation_id="retireDataset",
    summary="Take a dataset out of service",
    description="Its history stays and it can be restored. Repeating this changes nothing.",
    responses=answers(404, 409, 412) | success(POSITION, ETAG, REPLAY),
)
async def retire(
    response: Response,
    by: BodilessWriter,
    urn: UrnInPath,
    use: Use,
    if_match: IfMatch = None,
) -> DatasetConfig:
    changed = await _switched(use.retire_dataset, urn, if_match, by)
    return await _after(changed, response, use.read_dataset, by)


@router.post(
    "/datasets/{urn}/restore",
    operation_id="restoreDataset",
    summary="Bring a retired dataset back",
    responses=answers(404, 409, 412) | success(POSITION, ETAG, REPLAY),
)
async def restore(
    response: Response,
    by: BodilessWriter,
    urn: UrnInPath,
    use: Use,
    if_match: IfMatch = None,
) -> DatasetConfig:
    changed = await _switched(use.restore_dataset, urn, if_match, by)
    return await _after(changed, response, use.read_dataset, by)


async def _switched(
    switch: RetireDataset | RestoreDataset, urn: str, if_match: str | None, by: Caller
) -> DatasetChanged:
    """Take a dataset out of service or bring it back, if it is as the caller knows it."""
    dataset, wanted = parse_dataset(urn), parse_expected(if_match, None)
    refuse_any((*dataset.violations, *wanted.violations))
    version = ANY_VERSION if wanted.version is None else wanted.version
    with wanted.checked():
        return await switch(
            dataset.value, by=by, expected_version=version, expected_status=wanted.status
        )


def _missing(body: UpdateDatasetRequest, version: int | None) -> Iterator[Violation]:
    if version is None:
        said = "is required, here or as If-Match or config_version"
        yield Violation("expected_version", "REQUIRED", said)
    if "tier" in body.named and body.tier is None:
        yield Violation("tier", "REQUIRED", "is required")


async def _after(
    changed: DatasetChanged, response: Response, reading: ReadDataset, by: Caller
) -> DatasetConfig:
    """The dataset as it was decided, with its dates if the register knows them by now."""
    written(response, changed.position, replayed=changed.replayed)
    card = await card_after(changed, reading, by)
    if card is None:
        response.headers["ETag"] = version_tag(changed.config.config_version)
        return DatasetConfig.of_change(changed)
    response.headers["ETag"] = dataset_tag(card)
    return DatasetConfig.of(card)
