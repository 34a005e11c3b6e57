"""What opening an incident takes: every violation at once (S0-240..S0-243)."""

from datetime import timedelta
from typing import Any

import pytest

from domain.dataset.config import DatasetConfig, Registered, Retired
from domain.dataset.settings import Settings
from domain.errors import Invalid
from domain.incident.report import Case, IncidentReport, ReportedImplication, unusable
from domain.incident.severity import Severity
from domain.incident.values import Implicated
from domain.signal.evaluation import Confidence, Producer
from tests.domain.incident.incidents import COMPLIANCE, MISSING, NOON, ORDERS, evidence


def report(**given: Any) -> IncidentReport:
    said: dict[str, Any] = {
        "dataset_urn": ORDERS,
        "signal_types": (COMPLIANCE,),
        "failure_signatures": (MISSING,),
        "severity": "SEV_1",
        **given,
    }
    return IncidentReport(**said)


def wrong(**given: Any) -> dict[str, str]:
    try:
        report(**given).parse(at=NOON)
    except Invalid as invalid:
        return {one.field: one.code for one in invalid.violations}
    return {}


def test_a_plain_report() -> None:
    assert wrong() == {}
    assert report().parse(at=NOON) == Case(ORDERS, (COMPLIANCE,), (MISSING,), Severity.SEV_1)


def test_a_full_report() -> None:
    full = report(
        incident_id="INC-7721",
        title="Orders are broken",
        signal_types=("VOLUME", "VOLUME"),
        implicated=ReportedImplication("orders-svc", "v3.17", "HIGH", NOON),
        primary_evidence_id=evidence(1),
        evidence_sample=(evidence(2), evidence(2)),
    )
    case = full.parse(at=NOON)
    assert (case.title, case.signals) == ("Orders are broken", ("VOLUME",))
    assert case.implicated == Implicated(Producer("orders-svc", "v3.17", Confidence.HIGH), NOON)
    assert (case.primary_evidence, case.evidence) == (evidence(1), (evidence(2),))


def test_everything_that_is_wrong_at_once() -> None:
    assert wrong(
        incident_id="7721",
        dataset_urn="orders",
        signal_types=("VOLUME", "SMELL"),
        failure_signatures=("broken",),
        severity="SEV_9",
        title="x" * 501,
        implicated=ReportedImplication(None, "v", "SURE", NOON + timedelta(hours=2)),
        primary_evidence_id="x",
        evidence_sample=(evidence(1), "x"),
    ) == {
        "incident_id": "MALFORMED",
        "primary_dataset_urn": "MALFORMED",
        "signal_types[1]": "UNKNOWN_VALUE",
        "failure_signatures[0]": "MALFORMED",
        "severity": "UNKNOWN_VALUE",
        "title": "TOO_LONG",
        "implicated_producer.producer_id": "REQUIRED",
        "implicated_producer.confidence": "UNKNOWN_VALUE",
        "implicated_producer.deployed_at": "IN_THE_FUTURE",
        "primary_evidence_id": "MALFORMED",
        "evidence_sample[1]": "MALFORMED",
    }


def test_what_must_be_said() -> None:
    assert wrong(signal_types=(), failure_signatures=(), severity=None) == {
        "signal_types": "REQUIRED",
        "failure_signatures": "REQUIRED",
        "severity": "REQUIRED",
    }


def test_how_much_may_be_said() -> None:
    assert wrong(
        signal_types=("VOLUME",) * 11,
        failure_signatures=(MISSING,) * 11,
        evidence_sample=(evidence(1),) * 11,
    ) == dict.fromkeys(("signal_types", "failure_signatures", "evidence_sample"), "TOO_MANY")


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ([], ["NOT_REGISTERED"]),
        ([Registered(ORDERS, Settings())], []),
        ([Registered(ORDERS, Settings()), Retired()], ["RETIRED"]),
    ],
)
def test_the_dataset_must_be_in_service(facts: list[Any], code: list[str]) -> None:
    dataset = DatasetConfig()
    for fact in facts:
        dataset = dataset.after(fact)
    assert [one.code for one in unusable(dataset)] == code


def test_a_blank_title_says_nothing() -> None:
    assert wrong(title=" ") == {"title": "REQUIRED"}
