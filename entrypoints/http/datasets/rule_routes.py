"""Resolution rules of a dataset, and resolving topics with all of them."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Depends, Response

from application.caller import Caller
from application.datasets.resolution import ListRules
from domain.dataset.resolution_rules import Rule
from domain.dataset.rule_validation import RuleReport
from domain.errors import NotFound, Violation
from domain.ids import DatasetUrn
from domain.validation import text
from domain.violations import refuse_any
from entrypoints.http.authentication import BodilessWriter, By, Writer
from entrypoints.http.datasets.resolve_models import ResolveRequest, ResolveResponse
from entrypoints.http.datasets.rule_models import (
    ResolutionRule,
    ResolutionRuleRequest,
    ResolutionRulesResponse,
)
from entrypoints.http.dependencies import Use
from entrypoints.http.description.responses import (
    LOCATION,
    POSITION,
    REPLAY,
    answers,
    reads,
    success,
    takes,
)
from entrypoints.http.validation.consistency import At
from entrypoints.http.validation.json_body import reader
from entrypoints.http.validation.models import Read
from entrypoints.http.validation.names import API, RuleName, UrnInPath, unlike_path
from entrypoints.http.written import written
from entrypoints.interfaces.names import dataset_named, parse_dataset
from entrypoints.interfaces.rule_defaults import LONGEST_TOPIC
from entrypoints.interfaces.written_views import rule_card_after

router = APIRouter(prefix=API, tags=["resolution"])

RuleRead = Annotated[Read[ResolutionRuleRequest], Depends(reader(ResolutionRuleRequest))]


@router.get(
    "/datasets/{urn}/resolution-rules",
    operation_id="listResolutionRules",
    summary="Get resolution rules for a dataset",
    responses=reads(404),
)
async def list_all(by: By, urn: UrnInPath, use: Use, at: At) -> ResolutionRulesResponse:
    dataset = at.about(dataset_named, urn)
    cards = at.of(await use.list_rules(dataset, demand=at.demand, by=by))
    return ResolutionRulesResponse(rules=[ResolutionRule.of(card) for card in cards])


@router.post(
    "/datasets/{urn}/resolution-rules",
    operation_id="addResolutionRule",
    summary="Add a resolution rule",
    description="A rule that is there already, word for word, is not added twice.",
    status_code=201,
    responses=answers(404, 409, body=True) | success(POSITION, LOCATION, REPLAY, status=201),
    openapi_extra=takes(ResolutionRuleRequest),
)
async def add(
    response: Response,
    by: Writer,
    urn: UrnInPath,
    sent: RuleRead,
    use: Use,
) -> ResolutionRule:
    body, dataset = sent.body, parse_dataset(urn)
    unreadable = (
        *sent.violations,
        *dataset.violations,
        *unlike_path("dataset_urn", body.dataset_urn, urn),
        *_empty_name(body.name),
    )
    report = RuleReport(body.rule(body.name or ""), unreadable)
    changed, rule = await use.add_rule(dataset.value, report, by=by)
    written(response, changed.position, replayed=changed.replayed)
    response.headers["Location"] = f"{API}/datasets/{urn}/resolution-rules/{rule.name}"
    return await _after(dataset.value, rule, use.list_rules, by)


def _empty_name(name: str | None) -> Sequence[Violation]:
    if name != "":
        return ()
    return (Violation("name", "MALFORMED", "must not be empty; leave it out to get one"),)


@router.get(
    "/datasets/{urn}/resolution-rules/{name}",
    operation_id="getResolutionRule",
    summary="Get a resolution rule",
    responses=reads(404),
)
async def get(by: By, urn: UrnInPath, name: RuleName, use: Use, at: At) -> ResolutionRule:
    dataset = at.about(dataset_named, urn)
    for card in at.of(await use.list_rules(dataset, demand=at.demand, by=by)):
        if card.rule.name == name:
            return ResolutionRule.of(card)
    raise NotFound("resolution rule", name)


@router.put(
    "/datasets/{urn}/resolution-rules/{name}",
    operation_id="updateResolutionRule",
    summary="Change a resolution rule",
    responses=answers(404, 409, body=True) | success(POSITION, REPLAY),
    openapi_extra=takes(ResolutionRuleRequest),
)
async def change(
    response: Response,
    by: Writer,
    urn: UrnInPath,
    name: RuleName,
    sent: RuleRead,
    use: Use,
) -> ResolutionRule:
    body, dataset = sent.body, parse_dataset(urn)
    unreadable = (
        *sent.violations,
        *dataset.violations,
        *unlike_path("dataset_urn", body.dataset_urn, urn),
        *unlike_path("name", body.name, name),
    )
    rule = body.rule(name)
    changed = await use.change_rule(dataset.value, RuleReport(rule, unreadable), by=by)
    written(response, changed.position, replayed=changed.replayed)
    return await _after(dataset.value, rule, use.list_rules, by)


@router.delete(
    "/datasets/{urn}/resolution-rules/{name}",
    operation_id="removeResolutionRule",
    summary="Remove a resolution rule",
    status_code=204,
    responses=answers(404, 409) | success(POSITION, REPLAY, status=204),
)
async def remove(
    response: Response,
    by: BodilessWriter,
    urn: UrnInPath,
    name: RuleName,
    use: Use,
) -> None:
    dataset = parse_dataset(urn)
    refuse_any(dataset.violations)
    changed = await use.remove_rule(dataset.value, name, by=by)
    written(response, changed.position, replayed=changed.replayed)


@router.post(
    "/resolve",
    operation_id="resolveDataset",
    summary="Find the dataset that a topic and a payload belong to",
    responses=answers(body=True),
    openapi_extra=takes(ResolveRequest),
)
async def resolve(
    by: By,
    sent: Annotated[Read[ResolveRequest], Depends(reader(ResolveRequest))],
    use: Use,
) -> ResolveResponse:
    topic = sent.body.topic or ""
    refuse_any(sent.violations, text("topic", topic, most=LONGEST_TOPIC))
    return ResolveResponse.of(topic, await use.resolve_dataset(topic, sent.body.payload, by=by))


async def _after(dataset: DatasetUrn, rule: Rule, listing: ListRules, by: Caller) -> ResolutionRule:
    """The rule as it was decided, with its dates if the map knows them by now."""
    card = await rule_card_after(dataset, rule, listing, by)
    return ResolutionRule.of(card) if card else ResolutionRule.bare(dataset, rule)
