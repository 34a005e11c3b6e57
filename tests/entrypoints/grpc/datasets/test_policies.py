"""The PolicyService, compared with what HTTP answers (S0-247..S0-249)."""

from datetime import timedelta
from typing import Any

import grpc
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st

from application.datasets.policies import FallbackOnMiss, Policy, Terms, Unchanged
from application.datasets.read_model import DatasetView
from entrypoints.grpc.datasets.policy_service import policy_told
from entrypoints.grpc.fields.timestamps import timestamp
from entrypoints.grpc.messages import policies_pb2 as pb
from entrypoints.grpc.messages.common_pb2 import ReadOptions
from entrypoints.http.policies.models import DatasetPolicy, UnchangedPolicy
from tests.adapters.row_layouts import sample_views
from tests.entrypoints.grpc.support.alike import plain, without_nothing
from tests.entrypoints.grpc.support.both import Both
from tests.entrypoints.http.api import NOW, ORDERS

NOWHERE = "urn:dp:orders:unheard_of:v1"
DATASET = f"/api/v1/datasets/{ORDERS}"

terms = st.builds(Terms, st.integers(0, 86400), st.sampled_from(FallbackOnMiss))


def sent(message: Message) -> Any:
    """The message as it arrives."""
    return type(message).FromString(message.SerializeToString())


def over_http(both: Both, urn: str, **parameters: str) -> Any:
    answer = both.http.get(f"/api/v1/policies/{urn}", params=parameters)
    assert answer.status_code == 200, answer.text
    return without_nothing(answer.json())


def asked(urn: str, known: str = "", **more: Any) -> pb.GetPolicyRequest:
    return pb.GetPolicyRequest(dataset_urn=urn, known_etag=known, **more)


def asked_together(*names: tuple[str, str], **more: Any) -> pb.BatchGetPoliciesRequest:
    policies = [pb.PolicyKey(dataset_urn=urn, known_etag=tag) for urn, tag in names]
    return pb.BatchGetPoliciesRequest(policies=policies, **more)


@given(st.none() | sample_views.dataset_cards, terms)
def test_http_and_grpc_tell_the_same_of_a_policy(card: DatasetView | None, terms: Terms) -> None:
    policy = Policy(sample_views.ORDERS, card, terms, "12-300-warn")
    told = plain(sent(policy_told(policy)))
    assert told == without_nothing(DatasetPolicy.of(policy).model_dump(mode="json"))


def test_http_and_grpc_tell_the_same_of_what_is_unchanged() -> None:
    unchanged = Unchanged(sample_views.ORDERS, Terms(), "12-300-warn")
    told = plain(sent(policy_told(unchanged)))
    assert told == UnchangedPolicy.of(unchanged).model_dump(mode="json")


def test_a_policy_is_told_as_over_http(both: Both) -> None:
    both.http.registered(pii_policy={"scan_enabled": False})
    told = both.call(asked(ORDERS))
    assert plain(told) == over_http(both, ORDERS)
    assert (told.registered, told.config_version, told.cache_ttl_seconds) == (True, 1, 300)
    assert told.HasField("pii_policy"), "though nothing is scanned"
    assert told.answer.position


def test_whoever_has_the_answer_is_told_nothing_else(both: Both) -> None:
    both.http.registered()
    tag = both.call(asked(ORDERS)).etag
    for known in (tag, f'"{tag}"'):
        again = plain(both.call(asked(ORDERS, known)))
        assert again == {"dataset_urn": ORDERS, "etag": tag, "not_modified": True}
    both.http.put(DATASET, {"tier": "TIER_3", "expected_version": 1})
    now = both.call(asked(ORDERS, tag))
    assert (now.tier, now.not_modified) == ("TIER_3", False)
    assert now.etag != tag


def test_a_dataset_that_is_not_registered_is_an_answer(both: Both) -> None:
    for said, meant in (("", "WARN"), ("FAIL", "FAIL"), ("PASS", "PASS")):
        told = both.call(asked(NOWHERE, fallback_on_miss=said))
        assert (told.registered, told.config_version) == (False, 0)
        assert told.fallback_on_miss == meant
        parameters = {"fallback_on_miss": said} if said else {}
        assert plain(told) == over_http(both, NOWHERE, **parameters)


def test_many_come_in_the_order_of_their_names(both: Both) -> None:
    both.http.registered()
    tag = both.call(asked(ORDERS)).etag
    told = both.call(asked_together((NOWHERE, ""), (ORDERS, tag), (ORDERS, "stale")))
    assert list(map(plain, told.policies)) == [
        over_http(both, NOWHERE),
        {"dataset_urn": ORDERS, "etag": tag, "not_modified": True},
        over_http(both, ORDERS),
    ]
    assert told.answer.position
    assert not any(one.HasField("answer") for one in told.policies)
    assert len(both.call(asked_together(*[(NOWHERE, "")] * 500)).policies) == 500


def test_policies_as_they_were(both: Both) -> None:
    both.http.registered()
    both.http.clock.at += timedelta(hours=1)
    both.http.put(DATASET, {"tier": "TIER_3", "expected_version": 1})
    before, then = (ReadOptions(as_of=timestamp(NOW - timedelta(hours=h))) for h in (1, 0))
    assert not both.call(asked(ORDERS, options=before)).registered
    assert both.call(asked(ORDERS, options=then)).tier == "TIER_1"
    (told,) = both.call(asked_together((ORDERS, ""), options=then)).policies
    assert told.tier == "TIER_1"
    assert both.call(asked(ORDERS, options=ReadOptions(strong=True))).tier == "TIER_3"


def test_all_that_is_wrong_is_told_at_once(both: Both) -> None:
    refused = both.refused(asked("x", fallback_on_miss="SHRUG"))
    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations == {"dataset_urn": "MALFORMED", "fallback_on_miss": "UNKNOWN_VALUE"}
    many = asked_together(
        ("", ""),
        *[(ORDERS, "")] * 500,
        fallback_on_miss="SHRUG",
        options=ReadOptions(strong=True, min_position="?"),
    )
    assert both.refused(many).violations == {
        "policies": "TOO_MANY",
        "policies[0].dataset_urn": "MALFORMED",
        "fallback_on_miss": "UNKNOWN_VALUE",
        "min_position": "MALFORMED",
        "strong": "UNSUPPORTED",
    }
