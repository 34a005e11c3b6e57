"""Our values and the messages of the wire say the same."""

from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from statestore_client import (
    Answer,
    Condition,
    Dataset,
    DatasetHealth,
    DatasetImpact,
    DatasetSettings,
    Declared,
    Evaluation,
    Incident,
    IncidentImpact,
    IncidentSummary,
    LineageEntry,
    LineageSpec,
    PastEvaluation,
    Policy,
    Resolution,
    ResolutionStep,
    Resolved,
    Rule,
    SignalState,
    SignalUpdate,
    State,
    TimelineEntry,
    Violation,
)
from statestore_client.messages import (
    common_pb2,
    datasets_pb2,
    incidents_pb2,
    lineage_pb2,
    policies_pb2,
    signals_pb2,
)
from statestore_client.transport.translation import tell, told

PAIRS: list[tuple[type, Any]] = [
    (Answer, common_pb2.AnswerInfo),
    (Violation, common_pb2.Violation),
    (Evaluation, signals_pb2.SignalStateValue),
    (SignalUpdate, signals_pb2.UpdateSignalStateRequest),
    (SignalState, signals_pb2.SignalState),
    (DatasetHealth, signals_pb2.DatasetHealth),
    (IncidentSummary, signals_pb2.IncidentSummary),
    (PastEvaluation, signals_pb2.PastEvaluation),
    (Incident, incidents_pb2.Incident),
    (Resolution, incidents_pb2.IncidentResolution),
    (TimelineEntry, incidents_pb2.TimelineEntry),
    (IncidentImpact, incidents_pb2.IncidentImpact),
    (Dataset, datasets_pb2.Dataset),
    (DatasetSettings, datasets_pb2.DatasetSettings),
    (Rule, datasets_pb2.ResolutionRule),
    (Condition, datasets_pb2.Condition),
    (ResolutionStep, datasets_pb2.ResolutionStep),
    (Resolved, datasets_pb2.ResolveDatasetResponse),
    (LineageSpec, lineage_pb2.DeclareLineageRequest),
    (Declared, lineage_pb2.DeclareLineageResponse),
    (LineageEntry, lineage_pb2.LineageEntry),
    (DatasetImpact, lineage_pb2.DatasetImpact),
    (Policy, policies_pb2.DatasetPolicy),
]


@pytest.mark.parametrize(("model", "message"), PAIRS, ids=lambda one: one.__name__)
def test_every_field_of_the_contract_has_its_place(model: type, message: Any) -> None:
    ours = {one.metadata.get("called", one.name) for one in fields(model)}
    assert ours == set(message.DESCRIPTOR.fields_by_name)


moments = some.datetimes(
    min_value=datetime(1970, 1, 1),  # noqa: DTZ001  # Hypothesis adds the zone
    max_value=datetime(2100, 1, 1),  # noqa: DTZ001
    timezones=some.just(UTC),
)
words = some.text(some.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1)
counts = some.integers(0, 2**31 - 1)
json = some.recursive(
    some.booleans() | words | some.floats(allow_nan=False, allow_infinity=False),
    lambda one: some.lists(one) | some.dictionaries(words, one),
    max_leaves=5,
)
some.register_type_strategy(datetime, moments)
some.register_type_strategy(int, counts)
some.register_type_strategy(float, some.floats(allow_nan=False, allow_infinity=False))
some.register_type_strategy(str, words)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (SignalUpdate, signals_pb2.UpdateSignalStateRequest),
        (DatasetSettings, datasets_pb2.DatasetSettings),
        (LineageSpec, lineage_pb2.DeclareLineageRequest),
        (Resolution, incidents_pb2.IncidentResolution),
    ],
    ids=lambda one: one.__name__,
)
@given(data=some.data())
def test_what_is_told_is_what_was_said(model: type, message: Any, data: some.DataObject) -> None:
    said = data.draw(some.from_type(model))
    sent = message()
    tell(said, sent)
    assert told(model, message.FromString(sent.SerializeToString())) == said


@given(value=json)
def test_any_json_value_can_be_compared_with(value: Any) -> None:
    rule = Rule(
        topic_pattern="raw.*",
        resolution_type="CONDITIONAL",  # type: ignore[arg-type]  # a word is its text
        conditions=(
            Condition(field="$.a", operator="IN", dataset_urn="urn", value=value),  # type: ignore[arg-type]
        ),
    )
    sent = datasets_pb2.ResolutionRule()
    tell(rule, sent)
    assert told(Rule, sent) == rule


def test_words_of_later_versions_are_told_as_they_are() -> None:
    message = signals_pb2.SignalStateValue(state="ON_FIRE")
    told_of = told(Evaluation, message)
    assert told_of.state == "ON_FIRE"
    assert isinstance(told_of.state, State)
    assert State("OK") is State.OK


def test_what_is_not_said_is_nothing() -> None:
    found = told(SignalState, signals_pb2.SignalState(dataset_urn="a"))
    assert (found.tier, found.owner_team, found.last_updated, found.ttl) == (None,) * 4
    assert found.evaluation.slo_threshold is None
    assert told(
        Evaluation, signals_pb2.SignalStateValue(slo_threshold=0.0)
    ).slo_threshold == pytest.approx(0.0)
