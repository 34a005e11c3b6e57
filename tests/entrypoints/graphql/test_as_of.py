"""Every question can be asked about any moment, and after any position."""

from typing import Any

import pytest

from application.reads.position import Position
from domain.timestamps import stamp
from tests.entrypoints.graphql import as_http
from tests.entrypoints.graphql.schema_client import Schema, codes
from tests.entrypoints.http.api import NOON, ORDERS, Api, update
from tests.entrypoints.http.lineage.test_lineage import INVOICES, column
from tests.entrypoints.http.validation.test_models import (
    HOUR,
    SIGNAL,
    change_everything,
    done,
    peopled,
)

AT = "asOf: $asOf, minPosition: $position"
INCIDENT = f"{as_http.INCIDENT[:-1]} dataset {as_http.DATASET} relatedSignals {as_http.SIGNAL} }}"
SIGNALS = f"{as_http.SIGNAL[:-1]} dataset {as_http.DATASET} incident {as_http.INCIDENT} }}"
EVERYTHING = f"""query(
  $urn: String!, $asOf: DateTime, $position: String, $from: DateTime!, $to: DateTime!
) {{
  signalState(datasetUrn: $urn, signalType: "CONTRACT_COMPLIANCE", {AT}) {SIGNALS}
  datasetSignals(datasetUrn: $urn, {AT}) {SIGNALS}
  criticalSignals({AT}) {SIGNALS}
  signalHistory(
    datasetUrn: $urn, signalType: "CONTRACT_COMPLIANCE", from: $from, to: $to, {AT}
  ) {{ state recordedAt }}
  incident(incidentId: "INC-1", {AT}) {INCIDENT}
  activeIncidents({AT}) {INCIDENT}
  incidents(filter: {{}}, {AT}) {{ edges {{ node {INCIDENT} }} }}
  incidentTimeline(incidentId: "INC-1", {AT}) {{ edges {{ node {{ eventType at details }} }} }}
  dataset(urn: $urn, {AT}) {as_http.DATASET}
  datasets(filter: {{}}, {AT}) {{ edges {{ node {as_http.DATASET} }} }}
  datasetWriters(datasetUrn: "{INVOICES}", {AT}) {as_http.ENTRY}
  datasetReaders(datasetUrn: $urn, {AT}) {as_http.ENTRY}
  columnWriters(columnUrn: "{column(INVOICES, "customer")}", {AT}) {as_http.ENTRY}
  columnReaders(columnUrn: "{column(ORDERS, "customer_id")}", {AT}) {as_http.ENTRY}
}}"""
SPAN = {"from": stamp(NOON), "to": stamp(NOON + HOUR), "urn": ORDERS}
ANSWER = """query($asOf: DateTime, $position: String) {
  criticalSignals(asOf: $asOf, minPosition: $position) { answer { position ageSeconds asOf } }
}"""


def everything(asked: Schema, **at: Any) -> Any:
    return asked.told(EVERYTHING, **SPAN, **at)


def test_as_of_is_what_was_told_then(api: Api, asked: Schema) -> None:
    peopled(api)
    told, then = everything(asked), stamp(api.clock.at)
    assert all(told.values())
    api.clock.at += HOUR
    change_everything(api)
    assert everything(asked, asOf=then) == told
    now = everything(asked)
    assert [name for name in told if now[name] == told[name]] == []
    assert everything(asked, asOf=stamp(api.clock.at)) == now


def test_nothing_was_there_before(api: Api, asked: Schema) -> None:
    peopled(api)
    query = "query($asOf: DateTime) { criticalSignals(asOf: $asOf) { state } }"
    before = stamp(api.clock.at - HOUR)
    assert asked.told(query, asOf=before) == []
    one = f'query($asOf: DateTime) {{ dataset(urn: "{ORDERS}", asOf: $asOf) {{ tier }} }}'
    assert asked.told(one, asOf=before) is None
    assert asked.told(one, asOf=stamp(api.clock.at)) == {"tier": "TIER_1"}


def test_two_moments_in_one_document(api: Api, asked: Schema) -> None:
    """What belongs to the past is of the past, also beside the present."""
    peopled(api)
    then = stamp(api.clock.at)
    api.clock.at += HOUR
    change_everything(api)
    query = """query($asOf: DateTime) {
      then: incident(incidentId: "INC-1", asOf: $asOf) { status dataset { tier } }
      now: incident(incidentId: "INC-1") { status dataset { tier } }
    }"""
    assert asked.told(query, asOf=then) == {
        "then": {"status": "OPEN", "dataset": {"tier": "TIER_1"}},
        "now": {"status": "RESOLVED", "dataset": {"tier": "TIER_3"}},
    }


def test_the_future_is_not_told(api: Api, asked: Schema) -> None:
    assert asked.refused(ANSWER, asOf=stamp(api.clock.at + HOUR))["code"] == "AS_OF_IN_FUTURE"


def test_an_answer_says_what_it_is_about(api: Api, asked: Schema) -> None:
    peopled(api)
    (now,) = asked.told(ANSWER)
    assert now["answer"]["position"] == Position(api.head()).token()
    assert now["answer"]["asOf"] is None
    then = stamp(api.clock.at)
    (past,) = asked.told(ANSWER, asOf=then)
    assert past["answer"] == {**now["answer"], "ageSeconds": 0.0, "asOf": then}


def test_after_a_position(api: Api, asked: Schema) -> None:
    peopled(api)
    written = done(api.put(SIGNAL, update(1, "CRITICAL"))).headers["statestore-position"]
    assert everything(asked, position=written) == everything(asked)
    (told,) = asked.told(ANSWER, position=written)
    assert Position.read(told["answer"]["position"]).number >= Position.read(written).number


def test_a_position_that_is_not_shown_in_time(api: Api, asked: Schema) -> None:
    peopled(api)
    api.stop_projecting()
    api.container.own_writes().patience = 0
    written = done(api.put(SIGNAL, update(1))).headers["statestore-position"]
    refused = asked.refused(ANSWER, position=written)
    assert refused["code"] == "POSITION_NOT_REACHED"
    assert refused["minPosition"] == written
    assert Position.read(refused["position"]).number < Position.read(written).number


@pytest.mark.parametrize("position", ["", "x", "é", "\ud800", "A" * 5_000])
def test_positions_that_are_none(asked: Schema, position: str) -> None:
    assert codes(asked.refused(ANSWER, position=position)) == {"minPosition": "MALFORMED"}


def test_a_position_that_was_not_reached(asked: Schema) -> None:
    beyond = Position(1_000_000).token()
    assert codes(asked.refused(ANSWER, position=beyond)) == {"minPosition": "POSITION_BEYOND_END"}
