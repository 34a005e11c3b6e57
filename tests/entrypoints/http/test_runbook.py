"""The runbook's commands work as they are written (S0-320, S0-322)."""

import json

from entrypoints.http.description.examples import CREATE_DATASET, OPEN_INCIDENT, RULE
from tests.entrypoints.http.api import Api

PAYMENTS = "/api/v1/datasets/urn:dp:payments:payment_processed:v1"


def test_adding_a_dataset(api: Api) -> None:
    created = api.post("/api/v1/datasets", CREATE_DATASET)
    assert created.status_code == 201

    # curl -d without a content type says that it sends a form.
    rule = api.ask(
        "POST",
        f"{PAYMENTS}/resolution-rules",
        content=json.dumps(RULE),
        headers={"Content-Type": "application/x-www-form-urlencoded"},
    )
    assert rule.status_code == 201
    assert rule.json()["name"] == "default"
    assert rule.json()["priority"] == 100

    verified = api.get(PAYMENTS)
    assert verified.status_code == 200
    assert verified.json() == created.json()
    assert verified.json()["slos"]["freshness"]["max_delay_seconds"] == 120

    resolved = api.post("/api/v1/resolve", {"topic": "raw.payments.events"})
    assert resolved.json()["dataset_urn"] == "urn:dp:payments:payment_processed:v1"


def test_a_body_without_any_content_type(api: Api) -> None:
    answer = api.ask("POST", "/api/v1/datasets", content=json.dumps(CREATE_DATASET))
    assert "content-type" not in answer.request.headers
    assert answer.status_code == 201


def test_resolving_an_incident_by_hand(api: Api) -> None:
    """§14.1.3, S0-322: with a token, and the incident imported under its name (T8)."""
    api.post("/api/v1/datasets", CREATE_DATASET)
    assert api.post("/api/v1/incidents", OPEN_INCIDENT).status_code == 201

    details = api.get("/api/v1/incidents/INC-7721")
    assert (details.status_code, details.json()["status"]) == (200, "OPEN")

    resolution = {
        "root_cause": "Deployment v3.17 removed required field",
        "mitigation": "Rolled back to v3.16",
        "resolved_by": "john.doe@company.com",
        "false_positive": False,
    }
    resolved = api.ask(
        "PATCH",
        "/api/v1/incidents/INC-7721",
        content=json.dumps({"status": "RESOLVED", "resolution": resolution}),
        headers={"Content-Type": "application/x-www-form-urlencoded"},
    )
    assert resolved.status_code == 200
    assert resolved.json()["status"] == "RESOLVED"
    assert resolved.json()["resolution"] == {**resolution, "reason": "OTHER"}
    assert api.get("/api/v1/incidents/INC-7721").json() == resolved.json()
