"""Resolution rules of a dataset, and resolving topics with all of them."""

from typing import Any

from attrs import evolve, frozen

from application.use_cases import UseCases
from application.violations import refuse_any
from domain.dataset.resolution_rules import Rule
from domain.dataset.rule_validation import RuleReport
from domain.errors import NotFound, Violation
from domain.ids import DatasetUrn
from domain.validation import required, text
from entrypoints.grpc.datasets.rule_requests import rule_report
from entrypoints.grpc.datasets.rule_responses import resolved_told, rule_card_told, rule_told
from entrypoints.grpc.fields.json_values import parse_value
from entrypoints.grpc.messages import datasets_pb2 as pb
from entrypoints.grpc.messages.common_pb2 import AnswerInfo
from entrypoints.grpc.server.call import Call, answered, demanded, written
from entrypoints.interfaces.names import dataset_named, parse_dataset
from entrypoints.interfaces.rule_defaults import LONGEST_TOPIC
from entrypoints.interfaces.sent import Sent
from entrypoints.interfaces.written_views import rule_card_after


@frozen
class ResolutionRules:
    """The part of the DatasetRegistryService that is about rules."""

    use: UseCases

    async def list_resolution_rules(
        self, request: pb.ListResolutionRulesRequest, call: Call
    ) -> pb.ListResolutionRulesResponse:
        demand, found = demanded(request, single=False)
        dataset = dataset_named(request.dataset_urn, found)
        refuse_any(found)
        cards, answer = answered(await self.use.list_rules(dataset, demand=demand, by=call.by))
        return pb.ListResolutionRulesResponse(rules=map(rule_card_told, cards), answer=answer)

    async def get_resolution_rule(
        self, request: pb.GetResolutionRuleRequest, call: Call
    ) -> pb.ResolutionRule:
        demand, found = demanded(request, single=False)
        dataset = dataset_named(request.dataset_urn, found)
        refuse_any(found, required("name", request.name))
        cards, answer = answered(await self.use.list_rules(dataset, demand=demand, by=call.by))
        for card in cards:
            if card.rule.name == request.name:
                return rule_card_told(card, answer)
        raise NotFound("resolution rule", request.name)

    async def add_resolution_rule(
        self, request: pb.AddResolutionRuleRequest, call: Call
    ) -> pb.ResolutionRule:
        dataset, report = _report(request)
        changed, added = await self.use.add_rule(dataset, report, by=call.by)
        answer = written(changed.position, replayed=changed.replayed)
        return await self._after(dataset, added, answer, call)

    async def update_resolution_rule(
        self, request: pb.UpdateResolutionRuleRequest, call: Call
    ) -> pb.ResolutionRule:
        dataset, report = _report(request)
        unreadable = (*report.unreadable, *required("name", report.rule.name))
        changed = await self.use.change_rule(
            dataset, evolve(report, unreadable=unreadable), by=call.by
        )
        answer = written(changed.position, replayed=changed.replayed)
        return await self._after(dataset, report.rule, answer, call)

    async def remove_resolution_rule(
        self, request: pb.RemoveResolutionRuleRequest, call: Call
    ) -> pb.RemoveResolutionRuleResponse:
        dataset = parse_dataset(request.dataset_urn)
        refuse_any(dataset.violations, required("name", request.name))
        changed = await self.use.remove_rule(dataset.value, request.name, by=call.by)
        answer = written(changed.position, replayed=changed.replayed)
        return pb.RemoveResolutionRuleResponse(answer=answer)

    async def resolve_dataset(
        self, request: pb.ResolveDatasetRequest, call: Call
    ) -> pb.ResolveDatasetResponse:
        payload: Sent[Any] = Sent(None)
        if request.HasField("payload"):
            payload = parse_value(request.payload, "payload")
        unreadable = (*required("topic", request.topic), *payload.violations)
        refuse_any(unreadable, text("topic", request.topic, most=LONGEST_TOPIC))
        resolved = await self.use.resolve_dataset(request.topic, payload.value, by=call.by)
        return resolved_told(request.topic, resolved)

    async def _after(
        self, dataset: DatasetUrn, rule: Rule, answer: AnswerInfo, call: Call
    ) -> pb.ResolutionRule:
        """The rule as it was decided, with its dates if the map knows them by now."""
        card = await rule_card_after(dataset, rule, self.use.list_rules, call.by)
        return rule_card_told(card, answer) if card else rule_told(dataset, rule, answer)


def _report(
    request: pb.AddResolutionRuleRequest | pb.UpdateResolutionRuleRequest,
) -> tuple[DatasetUrn, RuleReport]:
    dataset, owner = parse_dataset(request.dataset_urn), request.rule.dataset_urn
    unreadable = [*dataset.violations]
    if owner and owner != dataset.value:
        wanted = "must be the dataset_urn of the request"
        unreadable.append(Violation("rule.dataset_urn", "INCONSISTENT", wanted))
    report = rule_report(request.rule)
    return dataset.value, evolve(report, unreadable=(*unreadable, *report.unreadable))
