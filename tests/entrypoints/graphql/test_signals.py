"""Signals over GraphQL (S0-170..S0-173, S0-181..S0-183)."""

from datetime import timedelta
from typing import Any

import pytest

from domain.moments import stamp
from tests.entrypoints.graphql.asking import Schema, codes
from tests.entrypoints.http.api import NOON, ORDERS, Api, update
from tests.entrypoints.http.test_reading import SIGNAL, done, peopled

WHOLE = """{
  datasetUrn signalType state previousState stateChangedAt breachStart score
  declaredSloThreshold windowStart windowEnd windowType
  metrics { evidenceCount passCount failCount }
  failureSignature topProducer { producerId version confidence deployedAt }
  evidenceSample incidentId tier ownerTeam lastUpdated version
}"""
ONE = f"""query($urn: String!, $type: String!) {{
  signalState(datasetUrn: $urn, signalType: $type) {WHOLE}
}}"""
HISTORY = """query($urn: String!, $type: String!, $from: DateTime!, $to: DateTime!) {
  signalHistory(datasetUrn: $urn, signalType: $type, from: $from, to: $to) {
    datasetUrn signalType state score windowStart windowEnd evaluatedAt recordedAt
    wasCurrent position
  }
}"""


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))


def as_http_tells(signal: dict[str, Any]) -> dict[str, Any]:
    """What HTTP says of a signal, in the words of the schema."""
    said = {camel(name): value for name, value in signal.items()}
    producer = {
        "producerId": said.pop("topProducer"),
        "version": said.pop("topProducerVersion"),
        "confidence": said.pop("topProducerConfidence"),
        "deployedAt": None,
    }
    said.pop("ttl")
    return said | {
        "metrics": {camel(name): value for name, value in signal["metrics"].items()},
        "topProducer": producer if producer["producerId"] else None,
        "declaredSloThreshold": said.pop("sloThreshold"),
    }


def one(asked: Schema, **more: str) -> Any:
    return asked.told(ONE, urn=ORDERS, type="CONTRACT_COMPLIANCE", **more)


def test_a_signal_is_what_http_tells(api: Api, asked: Schema) -> None:
    """S0-170, S0-181"""
    peopled(api)
    assert one(asked) == as_http_tells(done(api.get(SIGNAL)).json())
    done(api.put(SIGNAL, update(1, "OK", slo_threshold=None)))
    told = one(asked)
    assert told == as_http_tells(done(api.get(SIGNAL)).json())
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
    query = f"query($urn: String!) {{ datasetSignals(datasetUrn: $urn) {WHOLE} }}"
    signals = done(api.get(SIGNAL.rpartition("/")[0])).json()["signals"]
    assert asked.told(query, urn=ORDERS) == list(map(as_http_tells, signals))
    assert asked.refused(query, urn=ORDERS.replace("v1", "v2"))["code"] == "NOT_FOUND"


def test_no_threshold_is_one_that_every_score_reaches(api: Api, asked: Schema) -> None:
    query = "{ criticalSignals { sloThreshold declaredSloThreshold } }"
    api.registered()
    done(api.put(SIGNAL, update(0, "CRITICAL", slo_threshold=None)))
    assert asked.told(query) == [{"sloThreshold": 0.0, "declaredSloThreshold": None}]
    done(api.put(SIGNAL, update(1, "CRITICAL")))
    assert asked.told(query) == [{"sloThreshold": 0.95, "declaredSloThreshold": 0.95}]


@pytest.mark.parametrize(
    ("evidence", "passed", "rate"), [(0, 0, 0.0), (10, 5, 0.5), (3, 3, 1.0), (2**52, 2**50, 0.25)]
)
def test_compliance_rate(api: Api, asked: Schema, evidence: int, passed: int, rate: float) -> None:
    """S0-183"""
    api.registered()
    counts = {"evidence_count": evidence, "pass_count": passed, "fail_count": 0}
    done(api.put(SIGNAL, update(0, "CRITICAL", metrics=counts)))
    query = "{ criticalSignals { metrics { complianceRate exactEvidenceCount } } }"
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
    assert refused["code"] == "BEYOND_INT"
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
    shown = (*names, "was_current", "position")
    about = {"datasetUrn": ORDERS, "signalType": "CONTRACT_COMPLIANCE"}
    told = asked.told(HISTORY, urn=ORDERS, type="CONTRACT_COMPLIANCE", **span)
    assert told == [about | {camel(name): past[name] for name in shown} for past in evaluations]


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
