"""The PolicyService: what enforcers ask before they let records through (S0-247..S0-249)."""

from attrs import frozen

from application.datasets.policies import FallbackOnMiss, Policy, Unchanged
from application.use_cases import UseCases
from application.violations import refuse_any
from entrypoints.grpc.datasets.responses import contract_told, pii_told, schema_told
from entrypoints.grpc.fields.fields import chosen, no_more_than, told
from entrypoints.grpc.messages import policies_pb2 as pb
from entrypoints.grpc.messages.common_pb2 import AnswerInfo
from entrypoints.grpc.server.call import Call, answered, demanded
from entrypoints.interfaces.names import MOST_NAMES
from entrypoints.interfaces.policy_names import policies_named, policy_named


@frozen
class PolicyService:
    use: UseCases

    async def get_policy(self, request: pb.GetPolicyRequest, call: Call) -> pb.DatasetPolicy:
        demand, found = demanded(request)
        asked = policy_named(request.dataset_urn, request.known_etag, found)
        on_miss = chosen("fallback_on_miss", request.fallback_on_miss, FallbackOnMiss, found)
        refuse_any(found)
        (policy,), answer = answered(
            await self.use.read_policies([asked], on_miss=on_miss, demand=demand, by=call.by)
        )
        return policy_told(policy, answer)

    async def batch_get_policies(
        self, request: pb.BatchGetPoliciesRequest, call: Call
    ) -> pb.BatchGetPoliciesResponse:
        demand, found = demanded(request, single=False)
        few = no_more_than(MOST_NAMES, request.policies)
        names = [(one.dataset_urn, one.known_etag) for one in few]
        asked = policies_named(names, found)
        on_miss = chosen("fallback_on_miss", request.fallback_on_miss, FallbackOnMiss, found)
        refuse_any(found)
        policies, answer = answered(
            await self.use.read_policies(asked, on_miss=on_miss, demand=demand, by=call.by)
        )
        return pb.BatchGetPoliciesResponse(policies=map(policy_told, policies), answer=answer)


def policy_told(policy: Policy | Unchanged, answer: AnswerInfo | None = None) -> pb.DatasetPolicy:
    if isinstance(policy, Unchanged):
        return pb.DatasetPolicy(
            dataset_urn=policy.dataset, etag=policy.tag, not_modified=True, answer=answer
        )
    card = policy.card
    if card is None:
        unknown = pb.DatasetPolicy(dataset_urn=policy.dataset, tier=policy.tier, answer=answer)
        return _with_terms(unknown, policy)
    settings = card.settings
    agreed = pb.DatasetPolicy(
        dataset_urn=policy.dataset,
        registered=True,
        status=card.status,
        schema_binding=told(settings.schema_binding, schema_told),
        contract_binding=told(settings.contract_binding, contract_told),
        pii_policy=told(settings.pii_policy, pii_told),
        tier=settings.tier,
        owner_team=settings.owner_team,
        config_version=card.config_version,
        answer=answer,
    )
    return _with_terms(agreed, policy)


def _with_terms(told: pb.DatasetPolicy, policy: Policy) -> pb.DatasetPolicy:
    told.cache_ttl_seconds = policy.terms.cache_ttl_seconds
    told.fallback_on_miss = policy.terms.on_miss
    told.etag = policy.tag
    told.is_fallback = policy.is_fallback
    if policy.stale_seconds is not None:
        told.stale_seconds = policy.stale_seconds
    return told
