"""What enforcers ask: policies, conditional on what they have."""

from typing import Any

from statestore_client import ContractBinding, Fallback, StateStore, Tier
from statestore_client.messages import policies_pb2 as pb
from tests.client.faults.scripted_server import Scripted
from tests.client.reports import ORDERS


def test_a_policy_is_told_whole(script: Scripted, store: StateStore) -> None:
    script.on(
        "GetPolicy",
        pb.DatasetPolicy(
            dataset_urn=ORDERS,
            contract_binding={"contract_id": "dc:3", "required_fields": ["order_id"]},
            tier="TIER_1",
            cache_ttl_seconds=300,
            config_version=7,
            registered=True,
            etag="e7",
        ),
    )
    found = store.policies.get(ORDERS, fallback_on_miss=Fallback.FAIL)
    assert found.contract_binding == ContractBinding(
        contract_id="dc:3", required_fields=("order_id",)
    )
    assert (found.tier, found.cache_ttl_seconds, found.etag) == (Tier.TIER_1, 300, "e7")
    assert script.heard[0].request.fallback_on_miss == "FAIL"


def test_what_is_known_is_not_told_again(script: Scripted, store: StateStore) -> None:
    script.on("GetPolicy", pb.DatasetPolicy(dataset_urn=ORDERS, etag="e7", not_modified=True))
    assert store.policies.get(ORDERS, known_etag="e7").not_modified
    assert script.heard[0].request.known_etag == "e7"


def test_many_are_asked_for_in_calls_of_500(script: Scripted, store: StateStore) -> None:
    def policies(request: pb.BatchGetPoliciesRequest, context: Any) -> Any:
        return pb.BatchGetPoliciesResponse(
            policies=[
                {"dataset_urn": one.dataset_urn, "not_modified": one.known_etag == "e"}
                for one in request.policies
            ]
        )

    script.on("BatchGetPolicies", policies)
    known = {f"urn:{number}": "e" if number % 2 else None for number in range(700)}
    found = store.policies.get_many(known)
    assert [one.dataset_urn for one in found] == list(known)
    assert [one.not_modified for one in found] == [etag == "e" for etag in known.values()]
    assert [len(one.request.policies) for one in script.heard] == [500, 200]
