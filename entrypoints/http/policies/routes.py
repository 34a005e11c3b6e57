"""What enforcers ask before they let records through (S0-247..S0-249)."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from application.datasets.policies import FallbackOnMiss, Policy, PolicyAsked, Unchanged
from application.reads.demand import NOTHING
from application.violations import refuse_any
from domain.errors import Violation
from entrypoints.http.authentication import By
from entrypoints.http.dependencies import Use
from entrypoints.http.description.responses import CACHE_CONTROL, ETAG, read_of_many, reads, takes
from entrypoints.http.policies.models import (
    DatasetPolicy,
    PolicyLookupRequest,
    PolicyLookupResponse,
    UnchangedPolicy,
)
from entrypoints.http.validation.consistency import At, StrongAt
from entrypoints.http.validation.json_body import reader
from entrypoints.http.validation.models import Read
from entrypoints.http.validation.names import API, UrnInPath
from entrypoints.http.validation.preconditions import IfNoneMatch, matches, tags_in
from entrypoints.interfaces.names import MOST_NAMES, dataset_named
from entrypoints.interfaces.policy_names import bare_tag, policies_named

router = APIRouter(prefix=API, tags=["policies"])

Fallback = Annotated[
    FallbackOnMiss | None,
    Query(
        description="What to do with records if the dataset is not registered, instead of what "
        "the store is set to."
    ),
]


@router.get(
    "/policies/{urn}",
    operation_id="getPolicy",
    summary="Get what is to be enforced for a dataset",
    description="A dataset that is not registered is an answer, too: `registered` is false, "
    "`config_version` is 0, and `fallback_on_miss` says what to do.",
    responses=reads(304, headers=ETAG | CACHE_CONTROL),
    response_model=DatasetPolicy,
)
async def get(
    response: Response,
    by: By,
    urn: UrnInPath,
    use: Use,
    at: StrongAt,
    fallback_on_miss: Fallback = None,
    if_none_match: IfNoneMatch = None,
) -> DatasetPolicy | Response:
    found = [*at.violations]
    tags = tuple(map(bare_tag, tags_in(if_none_match or "")))
    asked = PolicyAsked(dataset_named(urn, found), tags)
    refuse_any(found)
    (told,) = at.of(
        await use.read_policies([asked], on_miss=fallback_on_miss, demand=at.demand, by=by)
    )
    response.headers["ETag"] = tag = f'"{told.tag}"'
    if at.demand == NOTHING and not (isinstance(told, Policy) and told.is_degraded):
        # What had to be seen, or was asked about the past, is not what to answer later with.
        response.headers["Cache-Control"] = f"private, max-age={told.terms.cache_ttl_seconds}"
    if isinstance(told, Unchanged) or matches(if_none_match, tag):
        return Response(status_code=304, headers=dict(response.headers))
    return DatasetPolicy.of(told)


@router.post(
    "/policies/lookup",
    operation_id="lookupPolicies",
    summary="Get what is to be enforced for many datasets",
    description=f"At most {MOST_NAMES}, in one read.",
    responses=read_of_many(),
    openapi_extra=takes(PolicyLookupRequest),
)
async def lookup(
    by: By,
    sent: Annotated[Read[PolicyLookupRequest], Depends(reader(PolicyLookupRequest))],
    use: Use,
    at: At,
) -> PolicyLookupResponse:
    wrong: list[Violation] = []
    said = [(one.dataset_urn or "", one.known_etag or "") for one in sent.body.policies or ()]
    asked = policies_named(said, wrong)
    refuse_any([*at.violations, *sent.found], wrong)
    told = at.of(
        await use.read_policies(asked, on_miss=sent.body.fallback_on_miss, demand=at.demand, by=by)
    )
    return PolicyLookupResponse(
        policies=[
            UnchangedPolicy.of(one) if isinstance(one, Unchanged) else DatasetPolicy.of(one)
            for one in told
        ]
    )
