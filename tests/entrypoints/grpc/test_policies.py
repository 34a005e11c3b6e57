"""What enforcers are told over gRPC (S0-247..S0-249)."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st

from application.enforcement import OnMiss, Policy, Terms, Unchanged
from application.ports.registry import DatasetCard
from domain.dataset_settings import ContractBinding, PiiPolicy, SchemaBinding
from domain.errors import Invalid
from domain.tier import Tier
from entrypoints.grpc.call import Call
from entrypoints.grpc.calls import Calls
from entrypoints.grpc.messages import policies_pb2 as pb
from entrypoints.grpc.messages.common_pb2 import ReadOptions
from entrypoints.grpc.moments import timestamp
from entrypoints.grpc.policies import policy_told
from entrypoints.http.policy_models import DatasetPolicy, UnchangedPolicy
from tests.adapters.tables import some_cards
from tests.application.store import ADMIN, ENGINES, ORDERS, SETTINGS, Store, open_store
from tests.entrypoints.grpc.alike import plain, without_nothing

NOWHERE = "urn:dp:orders:unheard_of:v1"
ENFORCED = evolve(
    SETTINGS,
    schema_binding=SchemaBinding("GLUE", "orders.order_created"),
    contract_binding=ContractBinding("dc:orders:3", ("order_id",)),
    pii_policy=PiiPolicy(scan_enabled=False),
)

Story = Callable[[Store, Call], Awaitable[None]]
Play = Callable[[Story], None]

terms = st.builds(Terms, st.integers(0, 86400), st.sampled_from(OnMiss))


@pytest.fixture(params=ENGINES)
def play(request: pytest.FixtureRequest, tmp_path: Path) -> Play:
    """Plays a story on a store that knows one dataset."""

    def played(story: Story) -> None:
        async def scene() -> None:
            async with open_store(request.param, tmp_path) as store:
                await store.register_dataset(ORDERS, ENFORCED, by=ADMIN)
                await store.project()
                await story(store, Call(ADMIN, store.reads, Calls(1)))

        asyncio.run(scene())

    return played


def sent(message: Message) -> Any:
    """The message as it arrives."""
    return type(message).FromString(message.SerializeToString())


@given(st.none() | some_cards.dataset_cards, terms)
def test_http_and_grpc_tell_the_same_of_a_policy(card: DatasetCard | None, terms: Terms) -> None:
    policy = Policy(ORDERS, card, terms, "12-300-warn")
    told = plain(sent(policy_told(policy)))
    assert told == without_nothing(DatasetPolicy.of(policy).model_dump(mode="json"))


def test_http_and_grpc_tell_the_same_of_what_is_unchanged() -> None:
    unchanged = Unchanged(ORDERS, Terms(), "12-300-warn")
    told = plain(sent(policy_told(unchanged)))
    assert told == UnchangedPolicy.of(unchanged).model_dump(mode="json")


def test_a_policy_and_nothing_once_it_is_known(play: Play) -> None:
    async def story(store: Store, call: Call) -> None:
        service = store.policy_service
        told = await service.get_policy(pb.GetPolicyRequest(dataset_urn=ORDERS), call)
        assert (told.registered, told.config_version, told.tier) == (True, 1, "TIER_1")
        assert told.schema_binding.schema_name == "orders.order_created"
        assert told.HasField("pii_policy"), "though nothing is scanned"
        assert (told.cache_ttl_seconds, told.fallback_on_miss) == (300, "WARN")
        assert told.answer.position

        known = pb.GetPolicyRequest(dataset_urn=ORDERS, known_etag=told.etag)
        again = await service.get_policy(known, call)
        assert plain(again) == {"dataset_urn": ORDERS, "etag": told.etag, "not_modified": True}
        settings = evolve(ENFORCED, tier=Tier.TIER_3)
        await store.update_dataset(ORDERS, ["tier"], settings, expected_version=1, by=ADMIN)
        await store.project()
        assert (await service.get_policy(known, call)).tier == "TIER_3"

    play(story)


def test_a_dataset_that_is_not_registered_is_an_answer(play: Play) -> None:
    async def story(store: Store, call: Call) -> None:
        request = pb.GetPolicyRequest(dataset_urn=NOWHERE, fallback_on_miss="FAIL")
        told = await store.policy_service.get_policy(request, call)
        assert plain(told) == {
            "dataset_urn": NOWHERE,
            "cache_ttl_seconds": 300,
            "fallback_on_miss": "FAIL",
            "etag": "0-300-fail",
        }

    play(story)


def test_many_in_the_order_of_their_names(play: Play) -> None:
    async def story(store: Store, call: Call) -> None:
        names = [(NOWHERE, ""), (ORDERS, '"1-300-warn"'), (ORDERS, "stale")]
        request = pb.BatchGetPoliciesRequest(
            policies=[pb.PolicyName(dataset_urn=urn, known_etag=tag) for urn, tag in names]
        )
        told = await store.policy_service.batch_get_policies(request, call)
        assert [one.dataset_urn for one in told.policies] == [NOWHERE, ORDERS, ORDERS]
        assert [one.registered for one in told.policies] == [False, False, True]
        assert [one.not_modified for one in told.policies] == [False, True, False]
        assert told.answer.position
        assert not told.policies[2].HasField("answer")

    play(story)


def test_as_it_was(play: Play) -> None:
    async def story(store: Store, call: Call) -> None:
        before = timestamp(store.clock.at - timedelta(seconds=1))
        request = pb.GetPolicyRequest(dataset_urn=ORDERS, options=ReadOptions(as_of=before))
        told = await store.policy_service.get_policy(request, call)
        assert (told.registered, told.answer.as_of) == (False, before)
        strongly = pb.GetPolicyRequest(dataset_urn=ORDERS, options=ReadOptions(strong=True))
        assert (await store.policy_service.get_policy(strongly, call)).registered

    play(story)


def test_all_that_is_wrong_is_told_at_once(play: Play) -> None:
    async def story(store: Store, call: Call) -> None:
        request = pb.BatchGetPoliciesRequest(
            policies=[pb.PolicyName(), *[pb.PolicyName(dataset_urn=ORDERS)] * 500],
            fallback_on_miss="SHRUG",
            options=ReadOptions(strong=True, min_position="?"),
        )
        with pytest.raises(Invalid) as told:
            await store.policy_service.batch_get_policies(request, call)
        assert {one.field: one.code for one in told.value.violations} == {
            "policies": "TOO_MANY",
            "policies[0].dataset_urn": "MALFORMED",
            "fallback_on_miss": "UNKNOWN_VALUE",
            "min_position": "MALFORMED",
            "strong": "UNSUPPORTED",
        }
        single = pb.GetPolicyRequest(dataset_urn="x", fallback_on_miss="y")
        with pytest.raises(Invalid) as told:
            await store.policy_service.get_policy(single, call)
        assert [one.field for one in told.value.violations] == ["dataset_urn", "fallback_on_miss"]

    play(story)
