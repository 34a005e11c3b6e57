"""Whatever can be said survives a message, and both interfaces tell the same of any card."""

from typing import Any

from attrs import evolve, fields
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st

from application.datasets.read_model import DatasetView
from application.datasets.resolution_read_model import RuleView
from application.incidents.read_model import IncidentView
from domain.dataset.resolution_rules import Rule
from domain.dataset.rule_validation import RuleReport
from domain.dataset.settings import Settings
from domain.dataset.settings_validation import DatasetReport
from domain.errors import Violation
from domain.incident.report import IncidentReport, ReportedImplication
from domain.lineage.lineage import Entry, Spec
from domain.signal.evaluation import Confidence
from entrypoints.grpc.datasets.requests import dataset_report
from entrypoints.grpc.datasets.responses import dataset_told, settings_told
from entrypoints.grpc.datasets.rule_requests import rule_report
from entrypoints.grpc.datasets.rule_responses import rule_card_told, rule_told
from entrypoints.grpc.fields.timestamps import timestamp
from entrypoints.grpc.incidents.requests import report_said
from entrypoints.grpc.incidents.responses import incident_told
from entrypoints.grpc.lineage.requests import lineage_report
from entrypoints.grpc.messages import incidents_pb2, lineage_pb2
from entrypoints.grpc.messages.datasets_pb2 import RegisterDatasetRequest
from entrypoints.http.datasets.responses import DatasetConfig
from entrypoints.http.datasets.rule_models import ResolutionRule
from entrypoints.http.incidents.responses import Incident
from tests.adapters.row_layouts import sample_views
from tests.adapters.row_layouts.sample_views import ORDERS, moments, words
from tests.domain.lineage.specs import specs
from tests.entrypoints.grpc.support.alike import plain, without_nothing

small = st.none() | st.integers(1, 2**31 - 1)
"""What contracts keep far below the limit, messages count with 32 bits."""


def _countable(settings: Settings, days: int | None, baseline: int | None) -> Settings:
    slos = settings.slos
    if slos is not None and slos.volume is not None:
        volume = evolve(slos.volume, baseline_window_days=baseline)
        slos = evolve(slos, volume=volume)
    return evolve(settings, slos=slos, retention_days=days)


settings = st.builds(_countable, sample_views.settings, small, small)
dataset_cards = st.builds(
    lambda card, settings: evolve(card, settings=settings), sample_views.dataset_cards, settings
)
reports = st.builds(
    IncidentReport,
    dataset_urn=words,
    signal_types=sample_views.ids,
    failure_signatures=sample_views.ids,
    severity=st.none() | words,
    incident_id=st.none() | words,
    title=st.none() | words,
    implicated=st.none()
    | st.builds(
        ReportedImplication,
        st.none() | words,
        st.none() | words,
        st.none() | st.sampled_from(Confidence),
        st.none() | moments,
    ),
    primary_evidence_id=st.none() | words,
    evidence_sample=sample_views.ids,
)


def sent(message: Message) -> Any:
    """The message as it arrives."""
    return type(message).FromString(message.SerializeToString())


@given(settings)
def test_settings_are_the_same_after_a_message(said: Settings) -> None:
    request = RegisterDatasetRequest(dataset_urn=ORDERS, settings=settings_told(said))
    assert dataset_report(sent(request)) == DatasetReport(ORDERS, said)


@given(sample_views.rules)
def test_rules_are_the_same_after_a_message(rule: Rule) -> None:
    assert rule_report(sent(rule_told(ORDERS, rule))) == RuleReport(rule)


@given(reports)
def test_incident_reports_are_the_same_after_a_message(report: IncidentReport) -> None:
    found: list[Violation] = []
    assert report_said(sent(_report_message(report)), found) == report
    assert not found


def _report_message(report: IncidentReport) -> incidents_pb2.CreateIncidentRequest:
    message = incidents_pb2.CreateIncidentRequest(
        primary_dataset_urn=report.dataset_urn,
        **{
            one.name: getattr(report, one.name)
            for one in fields(IncidentReport)
            if one.name not in ("dataset_urn", "implicated")
        },
    )
    if (implicated := report.implicated) is not None:
        producer = message.implicated_producer
        producer.SetInParent()
        producer.producer_id = implicated.producer_id or ""
        producer.version = implicated.version or ""
        producer.confidence = implicated.confidence or ""
        if implicated.deployed_at is not None:
            producer.deployed_at.CopyFrom(timestamp(implicated.deployed_at))
    return message


@given(specs())
def test_lineage_specs_are_the_same_after_a_message(spec: Spec) -> None:
    report = lineage_report(sent(_spec_message(spec)))
    assert report.parse(at=spec.updated_at) == spec


def _spec_message(spec: Spec) -> lineage_pb2.DeclareLineageRequest:
    return lineage_pb2.DeclareLineageRequest(
        spec_id=spec.spec_id,
        confidence=spec.confidence,
        commit=spec.commit,
        updated_at=timestamp(spec.updated_at),
        ttl_seconds=spec.ttl_seconds,
        dataset_reads=map(_entry, spec.entries.dataset_reads),
        dataset_writes=map(_entry, spec.entries.dataset_writes),
        column_reads=map(_entry, spec.entries.column_reads),
        column_writes=map(_entry, spec.entries.column_writes),
    )


def _entry(entry: Entry) -> lineage_pb2.DeclaredEntry:
    return lineage_pb2.DeclaredEntry(
        urn=entry.place,
        entity_id=entry.entity.entity_id,
        entity_name=entry.entity.name,
        entity_type=entry.entity.type,
    )


@given(dataset_cards)
def test_http_and_grpc_tell_the_same_of_a_dataset(card: DatasetView) -> None:
    told = plain(sent(dataset_told(card)))
    in_http = without_nothing(DatasetConfig.of(card).model_dump(mode="json"))
    assert {**told.pop("settings"), **told} == in_http


@given(sample_views.rule_cards)
def test_http_and_grpc_tell_the_same_of_a_rule(card: RuleView) -> None:
    told = plain(sent(rule_card_told(card)))
    assert told == without_nothing(ResolutionRule.of(card).model_dump(mode="json"))


@given(sample_views.incident_cards)
def test_http_and_grpc_tell_the_same_of_an_incident(card: IncidentView) -> None:
    told = plain(sent(incident_told(card)))
    assert told == without_nothing(Incident.model_validate(card).model_dump(mode="json"))
