"""Policies: what enforcers ask before they let records through."""

from collections.abc import Mapping, Sequence
from typing import Unpack

from statestore_client.enums import Fallback
from statestore_client.messages import policies_pb2 as pb
from statestore_client.models.policies import Policy
from statestore_client.options import Reading
from statestore_client.transport.calls import Calls
from statestore_client.transport.translation import told


class AsyncPolicies:
    """Who sends the `etag` of the policy it has is only told whether that is still right."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def get(
        self,
        dataset_urn: str,
        *,
        known_etag: str | None = None,
        fallback_on_miss: Fallback | None = None,
        **how: Unpack[Reading],
    ) -> Policy:
        """A dataset that is not registered is an answer, too: it says what to do then."""
        request = pb.GetPolicyRequest(
            dataset_urn=dataset_urn,
            known_etag=known_etag or "",
            fallback_on_miss=fallback_on_miss or "",
        )
        path = "PolicyService/GetPolicy"
        return told(Policy, await self._calls.read(path, request, pb.DatasetPolicy, how))

    async def get_many(
        self,
        known_etags: Mapping[str, str | None],
        *,
        fallback_on_miss: Fallback | None = None,
        **how: Unpack[Reading],
    ) -> Sequence[Policy]:
        """Of many datasets, each with the etag that is known of it, in their order."""
        names = [
            pb.PolicyKey(dataset_urn=urn, known_etag=etag or "")
            for urn, etag in known_etags.items()
        ]
        found: list[Policy] = []
        for part, how_soon in self._calls.parts(names, how):
            request = pb.BatchGetPoliciesRequest(
                policies=part, fallback_on_miss=fallback_on_miss or ""
            )
            path, answer = "PolicyService/BatchGetPolicies", pb.BatchGetPoliciesResponse
            told_all = await self._calls.read(path, request, answer, how_soon)
            found += [told(Policy, one) for one in told_all.policies]
        return found
