"""Declaring lineage, who writes and reads what, and what lies downstream."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from application.violations import refuse_any
from domain.errors import Violation
from domain.ids import Place, column_urn, is_column_urn
from domain.lineage.impact import DEEPEST, DEPTH
from entrypoints.http.authentication import By, Writer
from entrypoints.http.dependencies import Use
from entrypoints.http.description.responses import POSITION, REPLAY, answers, reads, success, takes
from entrypoints.http.lineage.pages import WantedPage
from entrypoints.http.lineage.requests import LineageSpecRequest, LineageSpecResponse
from entrypoints.http.lineage.responses import ImpactResponse, ReadersResponse, WritersResponse
from entrypoints.http.validation.consistency import At
from entrypoints.http.validation.json_body import reader
from entrypoints.http.validation.models import Read
from entrypoints.http.validation.names import (
    API,
    FIELD_SCHEMA,
    ColumnInPath,
    SpecInPath,
    UrnInPath,
    unlike_path,
)
from entrypoints.http.written import written
from entrypoints.interfaces.names import column_named, dataset_named

router = APIRouter(prefix=API, tags=["lineage"])


_UNREGISTERED = "A dataset need not be registered to have lineage; nobody is an empty list."
_UNDECLARED = "Only those who are declared to; nobody is an empty list."


@router.put(
    "/lineage/specs/{spec_id}",
    operation_id="declareLineage",
    summary="Declare who reads and writes what",
    description="Takes the place of the producer's older spec. A spec that is older than the one "
    "that holds, or the same, changes nothing, whatever the order in which they arrive.",
    responses=answers(body=True) | success(POSITION, REPLAY),
    openapi_extra=takes(LineageSpecRequest),
)
async def declare(
    response: Response,
    by: Writer,
    spec_id: SpecInPath,
    sent: Annotated[Read[LineageSpecRequest], Depends(reader(LineageSpecRequest))],
    use: Use,
) -> LineageSpecResponse:
    body = sent.body
    unreadable = (*sent.violations, *unlike_path("spec_id", body.spec_id, spec_id))
    declared = await use.declare_lineage(body.report(spec_id, unreadable), by=by)
    written(response, declared.position, replayed=declared.replayed)
    return LineageSpecResponse.of(declared)


@router.get(
    "/datasets/{urn}/writers",
    operation_id="listDatasetWriters",
    summary="Who writes a dataset",
    description=_UNREGISTERED,
    responses=reads(),
)
async def dataset_writers(
    by: By,
    urn: UrnInPath,
    use: Use,
    wanted: WantedPage,
) -> WritersResponse:
    found: list[Violation] = []
    place = Place(dataset_named(urn, found))
    return WritersResponse.of(
        place, *await wanted.of(use.read_writers, "writers", place, by, found)
    )


@router.get(
    "/datasets/{urn}/readers",
    operation_id="listDatasetReaders",
    summary="Who reads a dataset",
    description=_UNREGISTERED,
    responses=reads(),
)
async def dataset_readers(
    by: By,
    urn: UrnInPath,
    use: Use,
    wanted: WantedPage,
) -> ReadersResponse:
    found: list[Violation] = []
    place = Place(dataset_named(urn, found))
    return ReadersResponse.of(
        place, *await wanted.of(use.read_readers, "readers", place, by, found)
    )


@router.get(
    "/columns/{column_urn}/writers",
    operation_id="listColumnWriters",
    summary="Who writes a column",
    description=_UNDECLARED,
    responses=reads(),
)
async def column_writers(
    by: By,
    column_urn: ColumnInPath,
    use: Use,
    wanted: WantedPage,
) -> WritersResponse:
    found: list[Violation] = []
    place = Place(column_named(column_urn, found))
    return WritersResponse.of(
        place, *await wanted.of(use.read_writers, "writers", place, by, found)
    )


@router.get(
    "/columns/{column_urn}/readers",
    operation_id="listColumnReaders",
    summary="Who reads a column",
    description=_UNDECLARED,
    responses=reads(),
)
async def column_readers(
    by: By,
    column_urn: ColumnInPath,
    use: Use,
    wanted: WantedPage,
) -> ReadersResponse:
    found: list[Violation] = []
    place = Place(column_named(column_urn, found))
    return ReadersResponse.of(
        place, *await wanted.of(use.read_readers, "readers", place, by, found)
    )


@router.get(
    "/datasets/{urn}/impact",
    operation_id="getDatasetImpact",
    summary="What lies downstream of a dataset",
    description="Its readers, what they write, the readers of that, and so on, the nearest first. "
    "With a field, only who is declared to read that column, and then the columns that they are "
    "declared to write, or whole datasets where no columns are declared. At most 1,000 entities.",
    responses=reads(),
)
async def impact(
    by: By,
    urn: UrnInPath,
    use: Use,
    at: At,
    field: Annotated[
        str | None, Query(description="A column of the dataset.", json_schema_extra=FIELD_SCHEMA)
    ] = None,
    depth: Annotated[int, Query(ge=1, le=DEEPEST, description="At most so far away.")] = DEPTH,
) -> ImpactResponse:
    found = [*at.violations]
    dataset = dataset_named(urn, found)
    if field is not None and not found and not is_column_urn(column_urn(dataset, field)):
        found.append(Violation("field", "MALFORMED", "must be the name of a column"))
    refuse_any(found)
    told = at.of(await use.read_impact(dataset, field, depth=depth, demand=at.demand, by=by))
    return ImpactResponse.of(dataset, field, depth, told)
