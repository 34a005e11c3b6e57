"""
One story on every engine, with each step compared with HTTP: a dataset is registered and changed,
breaks, its incident is worked on, and all of it can be read as it was (S0-121, S0-140..S0-144).
"""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.field_mask_pb2 import FieldMask

from entrypoints.grpc.fields.timestamps import timestamp
from entrypoints.grpc.messages import datasets_pb2, incidents_pb2, lineage_pb2
from tests.entrypoints.grpc.support.alike import plain, without_nothing
from tests.entrypoints.grpc.support.both import Both, both_served
from tests.entrypoints.grpc.support.served import options
from tests.entrypoints.http.api import NOON, NOW, ORDERS, update

INVOICES = "urn:dp:finance:invoices:v1"
SIGNAL = f"/api/v1/datasets/{ORDERS}/signals/CONTRACT_COMPLIANCE"


@pytest.fixture(params=["memory", "embedded", "dynamodb"])
def anywhere(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Both]:
    with both_served(request.param, folder=tmp_path) as both:
        yield both


def over_http(both: Both, path: str) -> Any:
    answer = both.http.get(f"/api/v1/{path}")
    assert answer.status_code == 200, answer.text
    return without_nothing(answer.json())


def test_from_a_dataset_to_its_incident_and_back(anywhere: Both) -> None:
    both = anywhere
    settings = datasets_pb2.DatasetSettings(display_name="Orders", owner_team="orders")
    register = datasets_pb2.RegisterDatasetRequest(dataset_urn=ORDERS, settings=settings)
    assert both.call(register).config_version == 1
    change = datasets_pb2.UpdateDatasetRequest(
        dataset_urn=ORDERS,
        settings=datasets_pb2.DatasetSettings(tier="TIER_1"),
        update_mask=FieldMask(paths=["tier"]),
        expected_version=1,
    )
    assert both.call(change).config_version == 2
    stale = both.refused(change)
    assert (stale.code, stale.data["current_version"]) == (grpc.StatusCode.ABORTED, "2")
    rule = datasets_pb2.ResolutionRule(topic_pattern="raw.orders.*", resolution_type="WILDCARD")
    both.call(datasets_pb2.AddResolutionRuleRequest(dataset_urn=ORDERS, rule=rule))
    resolved = both.call(datasets_pb2.ResolveDatasetRequest(topic="raw.orders.new"))
    assert (resolved.dataset_urn, resolved.rule.rule) == (ORDERS, "default")

    _declare(both)
    opened = _open(both)
    assert list(opened.blast_radius.downstream_services) == ["billing"]
    _work(both, opened)


def _declare(both: Both) -> None:
    entry = {"entity_id": "job:billing", "entity_name": "billing", "entity_type": "JOB"}
    both.call(
        lineage_pb2.DeclareLineageRequest(
            spec_id="lspec:job:billing:git:9f31c2d",
            dataset_reads=[lineage_pb2.DeclaredEntry(urn=ORDERS, **entry)],
            dataset_writes=[lineage_pb2.DeclaredEntry(urn=INVOICES, **entry)],
            confidence="HIGH",
            commit="9f31c2d",
            updated_at=timestamp(NOON),
        )
    )
    told = both.call(lineage_pb2.ListReadersRequest(urn=ORDERS))
    assert plain(told)["entries"] == over_http(both, f"datasets/{ORDERS}/readers")["readers"]


def _open(both: Both) -> incidents_pb2.Incident:
    assert both.http.put(SIGNAL, update(0, "CRITICAL")).status_code == 200
    asked = incidents_pb2.CreateIncidentRequest(
        primary_dataset_urn=ORDERS,
        signal_types=["CONTRACT_COMPLIANCE"],
        severity="SEV_2",
        failure_signatures=["MISSING_FIELD:customer_id"],
    )
    opened: incidents_pb2.Incident = both.call(asked, key="once")
    again, joined = both.call(asked, key="once"), both.call(asked)
    assert (again.answer.replayed, again.joined, joined.joined) == (True, False, True)
    assert opened.incident_id == again.incident_id == joined.incident_id
    return opened


def _work(both: Both, opened: incidents_pb2.Incident) -> None:
    name = opened.incident_id
    both.http.clock.at += timedelta(minutes=5)
    both.call(incidents_pb2.UpdateIncidentRequest(incident_id=name, status="ACKNOWLEDGED"))
    cause = incidents_pb2.IncidentResolution(root_cause="v3.17", reason="ROLLED_BACK")
    both.call(incidents_pb2.ResolveIncidentRequest(incident_id=name, resolution=cause))
    told = both.call(incidents_pb2.ReopenIncidentRequest(incident_id=name, reason="again"))
    assert plain(told) == over_http(both, f"incidents/{name}")

    timeline = both.call(incidents_pb2.GetIncidentTimelineRequest(incident_id=name)).timeline
    happened = [entry.event_type for entry in timeline]
    assert happened == ["OPENED", "ACKNOWLEDGED", "RESOLVED", "REOPENED"]
    as_told = over_http(both, f"incidents/{name}/timeline")["timeline"]
    assert [plain(entry) for entry in timeline] == as_told

    wait = options(min_position=told.answer.position)
    (listed,) = both.call(incidents_pb2.ListIncidentsRequest(options=wait)).incidents
    assert plain(listed) == plain(told)
    then = options(as_of=NOW)
    (past,) = both.call(incidents_pb2.ListIncidentsRequest(options=then)).incidents
    assert (past.status, past.version) == ("OPEN", 1)
    strong = incidents_pb2.GetIncidentRequest(incident_id=name, options=options(strong=True))
    assert plain(both.call(strong)) == plain(told)
