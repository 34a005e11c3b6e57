"""Asking for incidents over HTTP."""

from typing import Any

import httpx

from entrypoints.http.description.examples import CHANGE_INCIDENT
from tests.entrypoints.http.api import ORDERS, Api

INCIDENTS = "/api/v1/incidents"
MISSING = "MISSING_FIELD:customer_id"
LATE = "LATE_DATA:processed_at"
RESOLUTION = CHANGE_INCIDENT["resolution"]
RESOLVED = {"status": "RESOLVED", "resolution": RESOLUTION}


def request(**more: Any) -> dict[str, Any]:
    return {
        "primary_dataset_urn": ORDERS,
        "signal_types": ["CONTRACT_COMPLIANCE"],
        "severity": "SEV_1",
        "failure_signatures": [MISSING],
        **more,
    }


def opened(api: Api, **more: Any) -> str:
    """The path of an incident that is open now."""
    answer = api.post(INCIDENTS, request(**more))
    assert answer.status_code == 201, answer.text
    return answer.headers["location"]


def changed(api: Api, path: str, **how: Any) -> dict[str, Any]:
    answer = api.patch(path, how)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def names(answer: httpx.Response) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [one["incident_id"] for one in answer.json()["incidents"]]
