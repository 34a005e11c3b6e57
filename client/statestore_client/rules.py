"""Resolution rules of datasets, and resolving topics with all of them."""

from collections.abc import Sequence
from typing import Any, Unpack

from statestore_client.messages import datasets_pb2 as pb
from statestore_client.models.rules import Resolved, Rule
from statestore_client.options import Reading, Writing
from statestore_client.transport.calls import Calls
from statestore_client.transport.translation import put, told


class AsyncRules:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def list(self, dataset_urn: str, **how: Unpack[Reading]) -> Sequence[Rule]:
        request = pb.ListResolutionRulesRequest(dataset_urn=dataset_urn)
        path = "DatasetRegistryService/ListResolutionRules"
        answer = await self._calls.read(path, request, pb.ListResolutionRulesResponse, how)
        return [told(Rule, one) for one in answer.rules]

    async def add(self, dataset_urn: str, rule: Rule, **how: Unpack[Writing]) -> Rule:
        """A rule that is there already, word for word, is not added twice."""
        request = pb.AddResolutionRuleRequest(dataset_urn=dataset_urn)
        put(request, "rule", rule)
        return await self._changed("AddResolutionRule", request, how)

    async def change(self, dataset_urn: str, rule: Rule, **how: Unpack[Writing]) -> Rule:
        """Put it in the place of the rule with its name."""
        request = pb.UpdateResolutionRuleRequest(dataset_urn=dataset_urn)
        put(request, "rule", rule)
        return await self._changed("UpdateResolutionRule", request, how)

    async def remove(self, dataset_urn: str, name: str, **how: Unpack[Writing]) -> None:
        request = pb.RemoveResolutionRuleRequest(dataset_urn=dataset_urn, name=name)
        path = "DatasetRegistryService/RemoveResolutionRule"
        await self._calls.write(path, request, pb.RemoveResolutionRuleResponse, how)

    async def resolve(self, topic: str, payload: Any = None, **how: Unpack[Reading]) -> Resolved:
        """Find the dataset that a topic and a payload, any JSON value, belong to."""
        request = pb.ResolveDatasetRequest(topic=topic)
        put(request, "payload", payload)
        path = "DatasetRegistryService/ResolveDataset"
        answer = await self._calls.read(path, request, pb.ResolveDatasetResponse, how)
        return told(Resolved, answer)

    async def _changed(self, method: str, request: Any, how: Writing) -> Rule:
        path = f"DatasetRegistryService/{method}"
        return told(Rule, (await self._calls.write(path, request, pb.ResolutionRule, how)).message)
