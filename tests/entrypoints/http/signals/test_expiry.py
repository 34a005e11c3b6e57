"""What has ended is not answered, and the settings say when that is (S0-024, S0-025, T26)."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from tests.entrypoints.http.api import NOON, NOW, ORDERS, Api, serving, update
from tests.entrypoints.http.lineage.test_lineage import PATH, named, spec

DAY = timedelta(days=1)
SIGNAL = f"/api/v1/datasets/{ORDERS}/signals/FRESHNESS"


@pytest.fixture
def short() -> Iterator[Api]:
    """A server that keeps things for days that are usually kept for months."""
    days = {"SIGNAL": 2, "INCIDENT": 9, "LINEAGE": 4}
    said = {f"STATESTORE_{name}_RETENTION_DAYS": str(count) for name, count in days.items()}
    with serving(**said) as api:
        yield api


def in_breach(api: Api) -> str:
    path = api.registered()
    assert api.put(SIGNAL, update(0, "CRITICAL")).status_code == 200
    return path


def test_signals_of_a_retired_dataset(short: Api) -> None:
    path = in_breach(short)
    short.delete(path)
    assert short.get(SIGNAL).json()["ttl"] == int((NOW + 2 * DAY).timestamp())
    short.clock.at = NOW + 2 * DAY
    assert short.get(SIGNAL).status_code == 404
    assert short.get(f"/api/v1/datasets/{ORDERS}/signals").json()["signals"] == []


def test_a_dataset_that_is_restored_in_time_keeps_them(short: Api) -> None:
    path = in_breach(short)
    short.delete(path)
    short.clock.at = NOW + DAY
    assert short.post(f"{path}/restore").status_code == 200
    short.clock.at = NOW + 1000 * DAY
    told = short.get(SIGNAL).json()
    assert (told["state"], told["ttl"]) == ("CRITICAL", None)


def test_incidents_that_are_resolved(short: Api) -> None:
    in_breach(short)
    asked = {
        "incident_id": "INC-1",
        "primary_dataset_urn": ORDERS,
        "signal_types": ["FRESHNESS"],
        "severity": "SEV_2",
        "failure_signatures": ["MISSING_FIELD:customer_id"],
    }
    assert short.post("/api/v1/incidents", asked).status_code == 201
    resolution = {"root_cause": "x", "mitigation": "y", "reason": "FIXED"}
    resolved = short.patch(
        "/api/v1/incidents/INC-1", {"status": "RESOLVED", "resolution": resolution}
    )
    assert resolved.json()["ttl"] == int((NOW + 9 * DAY).timestamp())
    listed = f"/api/v1/incidents?dataset_urn={ORDERS}"
    assert len(short.get(listed).json()["incidents"]) == 1
    short.clock.at = NOW + 9 * DAY
    assert short.get(listed).json()["incidents"] == []
    told = short.get("/api/v1/incidents/INC-1").json()
    assert told["ttl"] == int((NOW + 9 * DAY).timestamp())


def test_lineage_that_does_not_say_how_long(short: Api) -> None:
    short.put(PATH, spec())
    path = f"/api/v1/datasets/{ORDERS}/readers"
    short.clock.at = NOON + 4 * DAY - timedelta(seconds=1)
    assert named(short.get(path), "readers") == ["job:finance"]
    short.clock.at = NOON + 4 * DAY
    assert named(short.get(path), "readers") == []
