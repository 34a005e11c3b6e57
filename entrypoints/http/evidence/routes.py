"""Evidence in, one or many, and out by id or by dataset and time (S0-136..S0-138)."""

from collections.abc import Sequence
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Path, Query, Request, Response

from application.evidence import Outcome, Rejected
from application.violations import refuse_any
from domain.errors import NotFound, Violation
from domain.ids import EVIDENCE_ID
from entrypoints.http.authentication import By
from entrypoints.http.dependencies import PageSecret, Shared, Use
from entrypoints.http.description.responses import REFERENCE, answers
from entrypoints.http.evidence.body import NDJSON, Sent, evidence_sent
from entrypoints.http.evidence.requests import EvidenceRequest, items
from entrypoints.http.evidence.responses import (
    Evidence,
    EvidenceListResponse,
    EvidenceLookupResponse,
    PutEvidenceResponse,
    counted,
    result,
)
from entrypoints.http.validation.names import API, UrnInPath
from entrypoints.http.validation.paging import PageToken
from entrypoints.http.validation.timestamps import moment_parameter
from entrypoints.interfaces.evidence_input import (
    LARGEST_PAGE,
    MOST_ITEMS,
    USUAL_HOURS,
    USUAL_PAGE,
    all_evidence_named,
    causes,
    evidence_named,
    refuse_too_many_items,
    span_asked,
)
from entrypoints.interfaces.names import dataset_named, within
from entrypoints.interfaces.page_tokens import Pages

router = APIRouter(prefix=API, tags=["evidence"])

ID_SCHEMA = {"pattern": f"^{EVIDENCE_ID.pattern}$"}
Moment = Annotated[str | None, Query(json_schema_extra={"format": "date-time"})]

_ITEM = {"$ref": REFERENCE.format(model=EvidenceRequest.__name__)}
_TAKES: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "anyOf": [
                        _ITEM,
                        {"type": "array", "items": _ITEM, "minItems": 1, "maxItems": MOST_ITEMS},
                    ]
                }
            },
            NDJSON: {"schema": {"type": "string"}},
        },
    }
}
_TELLS: dict[int | str, dict[str, Any]] = {
    200: {"content": {NDJSON: {"schema": {"type": "string"}}}}
}


@router.post(
    "/evidence",
    operation_id="putEvidence",
    summary="Put evidence",
    description=f"One item, a list, or one a line; at most {MOST_ITEMS}, also with "
    "`Content-Encoding: gzip`. Each is kept, sampled out or refused by itself; what is kept is "
    "durable in the archive by then. Lines are answered by lines, which tell their number. If "
    "every item is wrong, nothing is done and the answer is 422.",
    responses=answers(429, body=True)
    | {200: {"content": {NDJSON: {"schema": {"type": "string"}}}}},
    response_model=PutEvidenceResponse,
    openapi_extra=_TAKES,
)
async def put(
    request: Request,
    by: By,
    use: Use,
    shared: Shared,
) -> Response:
    sent = await evidence_sent(request)
    refuse_any(_count_found(sent))
    reports = await items(sent.documents)
    outcomes = await use.put_evidence(shared.sieve().here(reports), by=by)
    refuse_any(_all_found(sent, outcomes))
    results = [
        result(report.evidence_id, outcome)
        for report, outcome in zip(reports, outcomes, strict=True)
    ]
    if sent.lines is None:
        return Response(orjson.dumps(counted(results, outcomes)), media_type="application/json")
    numbered = zip(sent.lines, results, strict=True)
    told = (orjson.dumps({"line": line, **each}) + b"\n" for line, each in numbered)
    return Response(b"".join(told), media_type=NDJSON)


def _count_found(sent: Sent) -> Sequence[Violation]:
    found: list[Violation] = []
    if not sent.documents:
        found.append(Violation("evidence", "REQUIRED", "must have at least one item"))
    refuse_too_many_items(len(sent.documents), found)
    return found


def _all_found(sent: Sent, outcomes: Sequence[Outcome]) -> Sequence[Violation]:
    """What is wrong with each, if something is with every one."""
    wrong = [one for one in outcomes if isinstance(one, Rejected)]
    if len(wrong) < len(outcomes):
        return []
    places = [f"line {line}" for line in sent.lines or ()] or [
        f"evidence[{index}]" for index in range(len(wrong))
    ]
    return [
        violation
        for place, one in zip(places, wrong, strict=True)
        for violation in within(place, causes(one.violations))
    ]


@router.get(
    "/evidence/{evidence_id}",
    operation_id="getEvidence",
    summary="Get evidence",
    description="What has expired comes from the archive, and says so.",
    responses=answers(404),
)
async def get(
    by: By,
    evidence_id: Annotated[str, Path(json_schema_extra=ID_SCHEMA)],
    use: Use,
) -> Evidence:
    found: list[Violation] = []
    name = evidence_named(evidence_id, found)
    refuse_any(found)
    shown = (await use.read_evidence([name], by=by)).get(name)
    if shown is None:
        raise NotFound("evidence", name)
    return Evidence.of(shown)


@router.get(
    "/evidence",
    operation_id="lookupEvidence",
    summary="Get many by their ids",
    responses=answers(),
)
async def lookup(
    by: By,
    ids: Annotated[list[str], Query(description="May be repeated, or joined by commas; 1 to 500.")],
    use: Use,
) -> EvidenceLookupResponse:
    found: list[Violation] = []
    names = all_evidence_named([one for each in ids for one in each.split(",")], found, "ids")
    refuse_any(found)
    shown = await use.read_evidence(names, by=by)
    return EvidenceLookupResponse(
        evidence=[Evidence.of(shown[name]) for name in names if name in shown],
        missing_ids=[name for name in names if name not in shown],
    )


@router.get(
    "/datasets/{urn}/evidence",
    operation_id="listEvidence",
    summary="List a dataset's evidence",
    description="The last created first. Without `created_since`, of the last "
    f"{USUAL_HOURS} hours (before `created_before`, if that is said), which are read from the "
    "cache; what is older is read from the archive, which takes longer.",
    responses=answers(),
)
async def list_of_dataset(
    by: By,
    urn: UrnInPath,
    use: Use,
    shared: Shared,
    secret: PageSecret,
    created_since: Moment = None,
    created_before: Moment = None,
    page_token: PageToken = None,
    page_size: Annotated[
        int, Query(ge=1, le=LARGEST_PAGE, description="At most so many items.")
    ] = USUAL_PAGE,
) -> EvidenceListResponse:
    found: list[Violation] = []
    dataset = dataset_named(urn, found)
    since = moment_parameter("created_since", created_since, found)
    until = moment_parameter("created_before", created_before, found)
    asked = span_asked(dataset, since, until, at=shared.clock().now(), found=found)
    pages = Pages(secret, ("evidence", dataset, created_since, created_before))
    wanted = pages.request(page_size, page_token, found)
    refuse_any(found)
    page = await use.list_evidence(asked, wanted, by=by)
    return EvidenceListResponse(
        evidence=[Evidence.of(one) for one in page.items],
        next_page_token=pages.token(page.next),
    )
