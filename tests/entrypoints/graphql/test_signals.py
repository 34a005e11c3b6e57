"""Signals over GraphQL (S0-170..S0-173, S0-181..S0-183)."""

from datetime import timedelta
from typing import Any

from domain.timestamps import stamp
from tests.entrypoints.graphql import as_http
from tests.entrypoints.graphql.schema_client import Schema, codes
from tests.entrypoints.http.api import NOON, ORDERS, Api, update
from tests.entrypoints.http.validation.test_models import SIGNAL, done, peopled

ONE = f"""query($urn: String!, $type: String!) {{
  signalState(datasetUrn: $urn, signalType: $type) {as_http.SIGNAL}
}}"""
HISTORY = """query($urn: String!, $type: String!, $from: DateTime!, $to: DateTime!) {
  signalHistory(datasetUrn: $urn, signalType: $type, from: $from, to: $to) {
    datasetUrn signalType state score windowStart windowEnd evaluatedAt recordedAt
    wasCurrent version position
  }
}"""


def one(asked: Schema, **more: str) -> Any:
    return asked.told(ONE, urn=ORDERS, type="CONTRACT_COMPLIANCE", **more)


def test_a_signal_is_what_http_tells(api: Api, asked: Schema) -> None:
    """S0-170, S0-181"""
    peopled(api)
    assert one(asked) == as_http.signal(done(api.get(SIGNAL)).json())
    done(api.put(SIGNAL, update(1, "OK", slo_threshold=None)))
    told = one(asked)
    assert told == as_http.signal(done(api.get(SIGNAL)).json())
    assert told["topProducer"] is told["breachStart"] is told["declaredSloThreshold"] is None


def test_what_was_never_evaluated_is_null(api: Api, asked: Schema) -> None:
    api.registered()
    assert one(asked) is None


def test_names_that_are_none(asked: Schema) -> None:
    found = codes(asked.refused(ONE, urn="orders", type="volume"))
    assert found == {"datasetUrn": "MALFORMED", "signalType": "UNKNOWN_VALUE"}


def test_all_signals_of_a_dataset(api: Api, asked: Schema) -> None:
    """S0-171"""
    peopled(api)
    done(api.put(SIGNAL.replace("CONTRACT_COMPLIANCE", "VOLUME"), update(0)))
    query = f"query($urn: String!) {{ datasetSignals(datasetUrn: $urn) {as_http.SIGNAL} }}"
    signals = done(api.get(SIGNAL.rpartition("/")[0])).json()["signals"]
    assert asked.told(query, urn=ORDERS) == list(map(as_http.signal, signals))
    assert asked.refused(query, urn=ORDERS.replace("v1", "v2"))["code"] == "NOT_FOUND"


def test_no_threshold_is_one_that_every_score_reaches(api: Api, asked: Schema) -> None:
    query = "{ criticalSignals { sloThreshold declaredSloThreshold } }"
    api.registered()
    done(api.put(SIGNAL, update(0, "CRITICAL", slo_threshold=None)))
    assert asked.told(query) == [{"sloThreshold": 0.0, "declaredSloThreshold": None}]
    done(api.put(SIGNAL, update(1, "CRITICAL")))
    assert asked.told(query) == [{"sloThreshold": 0.95, "declaredSloThreshold": 0.95}]


def test_compliance_rate(api: Api, asked: Schema) -> None:
    """S0-183"""
    api.registered()
    query = "{ criticalSignals { metrics { complianceRate exactEvidenceCount } } }"
    rates = [(0, 0, 0.0), (10, 5, 0.5), (3, 3, 1.0), (2**52, 2**50, 0.25)]
    for window, (evidence, passed, rate) in enumerate(rates):
        counts = {"evidence_count": evidence, "pass_count": passed, "fail_count": 0}
        done(api.put(SIGNAL, update(window, "CRITICAL", metrics=counts)))
        told = {"complianceRate": rate, "exactEvidenceCount": float(evidence)}
        assert asked.told(query) == [{"metrics": told}]


def test_a_count_beyond_an_int_is_an_error_that_says_what_to_ask_for(
    api: Api, asked: Schema
) -> None:
    api.registered()
    query = "{ criticalSignals { metrics { evidenceCount passCount } } }"
    counts = {"evidence_count": 2**31 - 1, "pass_count": 0, "fail_count": 0}
    done(api.put(SIGNAL, update(0, "CRITICAL", metrics=counts)))
    told = {"evidenceCount": 2**31 - 1, "passCount": 0}
    assert asked.told(query) == [{"metrics": told}]

    done(api.put(SIGNAL, update(1, "CRITICAL", metrics={**counts, "evidence_count": 2**31})))
    refused = asked.refused(query)
    assert refused["code"] == "INT_OVERFLOW"
    assert refused["instead"] == "exactEvidenceCount"


def test_history_is_what_http_tells(api: Api, asked: Schema) -> None:
    """S0-173"""
    api.registered()
    for window in range(5):
        done(api.put(SIGNAL, update(window)))
    since, until = (stamp(NOON + timedelta(minutes=minutes)) for minutes in (10, 20))
    span = {"from": since, "to": until}
    evaluations = done(api.get(f"{SIGNAL}/history", params=span)).json()["evaluations"]
    assert len(evaluations) == 3
    names = ("state", "score", "window_start", "window_end", "evaluated_at", "recorded_at")
    shown = (*names, "was_current", "version", "position")
    about = {"datasetUrn": ORDERS, "signalType": "CONTRACT_COMPLIANCE"}
    told = asked.told(HISTORY, urn=ORDERS, type="CONTRACT_COMPLIANCE", **span)
    assert told == [
        about | {as_http.camel(name): past[name] for name in shown} for past in evaluations
    ]


def test_history_that_cannot_be(api: Api, asked: Schema) -> None:
    api.registered()
    span = {"from": stamp(NOON), "to": stamp(NOON)}
    never = asked.refused(HISTORY, urn=ORDERS, type="VOLUME", **span)
    assert never["code"] == "NOT_FOUND"
    backwards = {"from": stamp(NOON + timedelta(hours=1)), "to": stamp(NOON)}
    assert codes(asked.refused(HISTORY, urn="x", type="VOLUME", **backwards)) == {
        "datasetUrn": "MALFORMED",
        "from": "INCONSISTENT",
    }
