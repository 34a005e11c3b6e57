"""Resolution rules and resolving over gRPC, compared with what HTTP answers."""

from typing import Any

import grpc
import pytest
from dependency_injector import providers
from google.protobuf.json_format import ParseDict
from google.protobuf.struct_pb2 import ListValue, NullValue, Value

from application.errors import Unavailable
from entrypoints.container import Container
from entrypoints.grpc.fields.timestamps import timestamp
from entrypoints.grpc.messages import datasets_pb2 as pb
from entrypoints.grpc.messages.common_pb2 import ReadOptions
from entrypoints.http.description.examples import CONDITIONAL_RULE
from tests.entrypoints.grpc.support.alike import in_json, plain, without_nothing
from tests.entrypoints.grpc.support.both import Both, both_served
from tests.entrypoints.http.api import NOON, NOW, ORDERS, Raising, fields

ANOTHER = "urn:dp:a:b:v1"
RULES = f"/api/v1/datasets/{ORDERS}/resolution-rules"
EXACT: dict[str, Any] = {"topic_pattern": "raw.orders.events", "resolution_type": "EXACT"}
CONDITIONAL = ParseDict(CONDITIONAL_RULE, pb.ResolutionRule())
NAN = Value(number_value=float("nan"))


@pytest.fixture(autouse=True)
def orders(both: Both) -> None:
    both.http.registered()


def add(**rule: Any) -> pb.AddResolutionRuleRequest:
    return pb.AddResolutionRuleRequest(dataset_urn=ORDERS, rule=pb.ResolutionRule(**rule))


def condition(**more: Any) -> pb.Condition:
    given = {"field": "$.a", "operator": "EQUALS", "dataset_urn": ORDERS, **more}
    return pb.Condition(**given)


def over_http(both: Both, path: str = RULES) -> Any:
    answer = both.http.get(path)
    assert answer.status_code == 200, answer.text
    return without_nothing(answer.json())


def test_a_rule_is_added_read_changed_and_removed(both: Both) -> None:
    told = both.call(add(name="main", **EXACT))
    assert (told.dataset_urn, told.priority, told.created_at) == (ORDERS, 100, timestamp(NOW))
    assert told.answer.position
    assert plain(told) == over_http(both, f"{RULES}/main")
    named: dict[str, Any] = {"dataset_urn": ORDERS, "name": "main"}
    assert plain(both.call(pb.GetResolutionRuleRequest(**named))) == plain(told)

    told.priority = 7
    changed = both.call(pb.UpdateResolutionRuleRequest(dataset_urn=ORDERS, rule=told))
    assert changed.priority == 7
    assert plain(changed) == over_http(both, f"{RULES}/main")
    listed = both.call(pb.ListResolutionRulesRequest(dataset_urn=ORDERS))
    assert plain(listed) == over_http(both)

    removed = both.call(pb.RemoveResolutionRuleRequest(**named))
    assert removed.answer.position
    assert not both.call(pb.ListResolutionRulesRequest(dataset_urn=ORDERS)).rules
    for gone in (
        pb.GetResolutionRuleRequest(**named),
        pb.RemoveResolutionRuleRequest(**named),
        pb.UpdateResolutionRuleRequest(dataset_urn=ORDERS, rule=told),
    ):
        assert both.refused(gone).code is grpc.StatusCode.NOT_FOUND


def test_rules_without_a_name_or_a_priority(both: Both) -> None:
    wild = {"topic_pattern": "raw.*", "resolution_type": "WILDCARD"}
    told = [both.call(add(**rule)) for rule in (EXACT, wild, EXACT)]
    assert [rule.name for rule in told] == ["default", "default-2", "default"]
    assert [rule.priority for rule in told] == [100, 50, 100]
    assert both.call(add(name="least", priority=0, **EXACT)).priority == 0


def test_conditions_of_every_kind_of_value(both: Both) -> None:
    items = ListValue()
    items.extend(["a", 1, True])
    rule = pb.ResolutionRule(
        name="main",
        topic_pattern="raw.*",
        resolution_type="CONDITIONAL",
        conditions=[
            condition(value=Value(string_value="x")),
            condition(value=Value(bool_value=False)),
            condition(value=Value(number_value=3)),
            condition(value=Value(number_value=0.5)),
            condition(operator="IN", value=Value(list_value=items)),
            condition(operator="EXISTS"),
            condition(operator="NOT_EXISTS", value=Value(null_value=NullValue.NULL_VALUE)),
        ],
        default_dataset_urn=ANOTHER,
    )
    both.call(pb.AddResolutionRuleRequest(dataset_urn=ORDERS, rule=rule))
    in_http = both.http.get(f"{RULES}/main").json()
    values = [one["value"] for one in in_http["conditions"]]
    assert values == ["x", False, 3, 0.5, ["a", 1, True], None, None]
    assert [type(value) for value in values[:4]] == [str, bool, int, float]
    read = both.call(pb.GetResolutionRuleRequest(dataset_urn=ORDERS, name="main"))
    assert list(read.conditions)[:6] == list(rule.conditions)[:6]


@pytest.mark.parametrize(
    "wrong",
    [
        pb.ResolutionRule(),
        pb.ResolutionRule(topic_pattern="a b", resolution_type="SOME", priority=1001, name="-"),
        pb.ResolutionRule(topic_pattern="raw.*", resolution_type="EXACT", conditions=[condition()]),
        pb.ResolutionRule(topic_pattern="raw", resolution_type="CONDITIONAL", priority=-1),
        pb.ResolutionRule(
            topic_pattern="raw",
            resolution_type="CONDITIONAL",
            conditions=[
                pb.Condition(),
                condition(operator="LIKE", field="$[", dataset_urn="x"),
                condition(operator="IN", value=Value(string_value="x")),
                condition(operator="STARTS_WITH", value=Value(number_value=3)),
            ],
            default_dataset_urn="x",
        ),
    ],
    ids=["nothing", "words", "without", "unconditional", "conditions"],
)
def test_all_that_is_wrong_is_told_as_over_http(both: Both, wrong: pb.ResolutionRule) -> None:
    head = both.http.head()
    in_http = fields(both.http.post(RULES, in_json(wrong)))
    added = both.refused(pb.AddResolutionRuleRequest(dataset_urn=ORDERS, rule=wrong))
    assert added.violations == in_http
    wrong.name = wrong.name or "main"
    changed = both.refused(pb.UpdateResolutionRuleRequest(dataset_urn=ORDERS, rule=wrong))
    assert changed.violations == in_http
    assert both.http.head() == head


def test_values_that_are_none(both: Both) -> None:
    """What JSON cannot even say."""
    listed = Value(list_value=ListValue(values=[Value(number_value=1), NAN, Value()]))
    conditions = [
        condition(value=Value()),
        condition(value=NAN),
        condition(operator="IN", value=listed),
    ]
    refused = both.refused(
        add(topic_pattern="raw", resolution_type="CONDITIONAL", conditions=conditions)
    )
    assert refused.violations == {
        "conditions[0].value": "WRONG_TYPE",
        "conditions[1].value": "OUT_OF_RANGE",
        "conditions[2].value[1]": "OUT_OF_RANGE",
        "conditions[2].value[2]": "WRONG_TYPE",
    }


def test_rules_without_a_dataset_or_a_name(both: Both) -> None:
    rule = pb.ResolutionRule(name="main", dataset_urn=ANOTHER, **EXACT)
    other = both.refused(pb.AddResolutionRuleRequest(dataset_urn=ORDERS, rule=rule))
    assert other.violations == {"rule.dataset_urn": "INCONSISTENT"}
    rule.dataset_urn = ""
    nameless = pb.ResolutionRule(**EXACT)
    asked = pb.UpdateResolutionRuleRequest(dataset_urn="x", rule=nameless)
    assert both.refused(asked).violations == {"dataset_urn": "MALFORMED", "name": "REQUIRED"}
    for kind in (pb.GetResolutionRuleRequest, pb.RemoveResolutionRuleRequest):
        assert both.refused(kind(dataset_urn=ORDERS)).violations == {"name": "REQUIRED"}
        assert both.refused(kind(name="x")).violations == {"dataset_urn": "MALFORMED"}
    strong = pb.ListResolutionRulesRequest(dataset_urn="x", options=ReadOptions(strong=True))
    assert both.refused(strong).violations == {"dataset_urn": "MALFORMED", "strong": "UNSUPPORTED"}
    for unknown in (
        pb.AddResolutionRuleRequest(dataset_urn=ANOTHER, rule=rule),
        pb.ListResolutionRulesRequest(dataset_urn=ANOTHER),
        pb.RemoveResolutionRuleRequest(dataset_urn=ANOTHER, name="main"),
    ):
        assert both.refused(unknown).code is grpc.StatusCode.NOT_FOUND


def test_another_rule_of_the_same_name(both: Both) -> None:
    both.call(add(name="main", **EXACT))
    other = both.refused(add(name="main", **{**EXACT, "topic_pattern": "raw.other"}))
    assert other.code is grpc.StatusCode.ALREADY_EXISTS


def test_rules_as_they_were(both: Both) -> None:
    both.http.clock.at = NOON
    asked = pb.ListResolutionRulesRequest(
        dataset_urn=ORDERS, options=ReadOptions(as_of=timestamp(NOON))
    )
    assert both.refused(asked).code is grpc.StatusCode.NOT_FOUND
    both.http.clock.at = NOW
    both.call(add(name="main", **EXACT))
    asked.options.as_of.CopyFrom(timestamp(NOW))
    told = both.call(asked)
    assert [rule.name for rule in told.rules] == ["main"]
    assert told.answer.as_of == timestamp(NOW)


def test_a_repeated_call_is_done_once(both: Both) -> None:
    added = add(**EXACT)
    assert [both.call(added, key="a").answer.replayed for _ in range(2)] == [False, True]
    removed = pb.RemoveResolutionRuleRequest(dataset_urn=ORDERS, name="default")
    assert [both.call(removed, key="b").answer.replayed for _ in range(2)] == [False, True]


@pytest.mark.parametrize(
    "payload",
    [
        None,
        {"event_type": "order.created", "total_amount": -1, "customer_id": 3},
        {"event_type": "something.else", "nested": [{"a": None}, 1.5]},
        ["a"],
        7,
        "text",
    ],
)
def test_resolving(both: Both, payload: Any) -> None:
    both.call(pb.AddResolutionRuleRequest(dataset_urn=ORDERS, rule=CONDITIONAL))
    for topic in ("raw.orders.events", CONDITIONAL.topic_pattern.replace("*", "x"), "unheard.of"):
        asked = pb.ResolveDatasetRequest(topic=topic)
        if payload is not None:
            ParseDict(payload, asked.payload)
        in_http = both.http.post("/api/v1/resolve", {"topic": topic, "payload": payload})
        assert in_http.status_code == 200
        assert plain(both.call(asked)) == without_nothing(in_http.json())


def test_resolving_what_cannot_be(both: Both) -> None:
    asked = pb.ResolveDatasetRequest(topic="x" * 250)
    asked.payload.struct_value.fields["a"].list_value.values.extend([NAN, Value()])
    refused = both.refused(asked)
    assert refused.violations == {
        "topic": "TOO_LONG",
        "payload.a[0]": "OUT_OF_RANGE",
        "payload.a[1]": "WRONG_TYPE",
    }
    assert both.refused(pb.ResolveDatasetRequest()).violations == {"topic": "REQUIRED"}
    assert both.refused(pb.ResolveDatasetRequest(topic="\x00")).violations == {"topic": "MALFORMED"}


def test_a_stored_rule_is_told_though_the_map_cannot_be_read() -> None:
    def unreadable(container: Container) -> None:
        listing = Raising(Unavailable("the map", "it is slow"))
        container.list_rules.override(providers.Object(listing))

    with both_served(prepare=unreadable) as both:
        both.http.registered()
        told = both.call(add(name="main", **EXACT))
    assert (told.name, told.priority, told.HasField("created_at")) == ("main", 100, False)
    assert told.answer.position
