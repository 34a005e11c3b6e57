"""Everyday operations on incidents over GraphQL: what HTTP does, with the same errors."""

from datetime import timedelta
from typing import Any

import httpx
import pytest

from domain.timestamps import stamp
from entrypoints.graphql.transport.media_types import GRAPHQL
from tests.entrypoints.graphql import as_http
from tests.entrypoints.graphql.transport.test_http import Sleeping
from tests.entrypoints.http.api import NOW, OTHER_TOKEN, Api, replaced, serving
from tests.entrypoints.http.validation.test_models import INCIDENT, done, peopled

ANSWER = f"{{ incident {as_http.INCIDENT} position replayed }}"
LATER = stamp(NOW + timedelta(days=1))
RESOLUTION = '{ rootCause: "too slow", reason: ROLLED_BACK }'

CHANGES = {
    "acknowledgeIncident": ("", {"status": "ACKNOWLEDGED"}),
    "assignIncident": ('oncallUser: "joe"', {"oncallUser": "joe"}),
    "snoozeIncident": (f'until: "{LATER}"', {"snoozedUntil": LATER}),
    "resolveIncident": (f"resolution: {RESOLUTION}", {"status": "RESOLVED"}),
    "addIncidentNote": ('note: "looked at it"', {"status": "OPEN"}),
}


@pytest.fixture(autouse=True)
def incident(api: Api) -> None:
    peopled(api)


def sent(api: Api, document: str, **headers: str) -> httpx.Response:
    return api.post("/graphql", {"query": document}, headers={"Accept": GRAPHQL, **headers})


def change(name: str, more: str = "", incident: str = "INC-1") -> str:
    return f'mutation {{ {name}(incidentId: "{incident}" {more}) {ANSWER} }}'


def changed(api: Api, name: str, more: str = "") -> dict[str, Any]:
    answer = sent(api, change(name, more))
    assert "errors" not in answer.json(), answer.text
    told: dict[str, Any] = answer.json()["data"][name]
    return told


def refused(api: Api, name: str, more: str = "", incident: str = "INC-1") -> dict[str, Any]:
    """The extensions of the error; nothing was written."""
    before = api.head()
    answer = sent(api, change(name, more, incident))
    assert answer.status_code == 200
    assert answer.json()["data"] == {name: None}
    (error,) = answer.json()["errors"]
    assert error["path"] == [name]
    assert api.head() == before
    extensions: dict[str, Any] = error["extensions"]
    return extensions


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_what_http_tells_afterwards(api: Api, name: str) -> None:
    more, expected = CHANGES[name]
    told = changed(api, name, more)
    answer = done(api.get(INCIDENT, params={"min_position": told["position"]}))
    assert told["incident"] == as_http.incident(answer.json())
    assert expected.items() <= told["incident"].items()
    assert told["replayed"] is False


def test_a_life_of_an_incident(api: Api) -> None:
    changed(api, "acknowledgeIncident", 'note: "on it"')
    changed(api, "snoozeIncident", f'until: "{LATER}", reason: "it is late"')
    assert changed(api, "endIncidentSnooze")["incident"]["snoozedUntil"] is None
    changed(api, "assignIncident", "oncallUser: null")
    changed(api, "resolveIncident", f"resolution: {RESOLUTION}")
    assert changed(api, "reopenIncident", 'reason: "not yet"')["incident"]["status"] == "OPEN"
    timeline = done(api.get(f"{INCIDENT}/timeline")).json()["timeline"]
    assert [one["event_type"] for one in timeline][1:] == [
        "ACKNOWLEDGED",
        "NOTE_ADDED",
        "SNOOZED",
        "SNOOZE_ENDED",
        "RESOLVED",
        "REOPENED",
    ]


@pytest.mark.parametrize("name", CHANGES)
def test_a_stale_version_is_a_conflict(api: Api, name: str) -> None:
    more, _ = CHANGES[name]
    current = done(api.get(INCIDENT)).json()["version"]
    told = refused(api, name, f"{more} expectedVersion: {current + 5}")
    assert told["code"] == "VERSION_CONFLICT"
    assert (told["currentVersion"], told["expectedVersion"]) == (current, current + 5)
    version = changed(api, name, f"{more} expectedVersion: {current}")["incident"]["version"]
    assert version > current


@pytest.mark.parametrize("name", CHANGES)
def test_the_same_change_with_the_same_key_happens_once(api: Api, name: str) -> None:
    more, _ = CHANGES[name]
    first = changed(api, name, f'{more} idempotencyKey: "k1"')
    head = api.head()
    again = changed(api, name, f'idempotencyKey: "k1" {more}')
    assert api.head() == head
    assert again == {**first, "replayed": True}
    reused = refused(api, name, f'{more} expectedVersion: 1 idempotencyKey: "k1"')
    assert reused["code"] == "IDEMPOTENCY_KEY_REUSED"
    # A key is the caller's own.
    other = sent(
        api,
        change(name, f'{more} idempotencyKey: "k1"'),
        Authorization=f"Bearer {OTHER_TOKEN}",
    )
    assert other.json()["data"][name]["replayed"] is False


def test_a_key_stands_for_the_change_however_it_is_written(api: Api) -> None:
    first = changed(api, "addIncidentNote", 'note: "x", idempotencyKey: "k"')
    document = """mutation($n: String!, $i: ID!) {
      again: addIncidentNote(note: $n, incidentId: $i, idempotencyKey: "k") { position replayed }
    }"""
    variables = {"n": "x", "i": "INC-1"}
    answer = api.post("/graphql", {"query": document, "variables": variables}).json()
    assert answer["data"]["again"] == {"position": first["position"], "replayed": True}
    reused = refused(api, "addIncidentNote", 'note: "y", idempotencyKey: "k"')
    assert reused["code"] == "IDEMPOTENCY_KEY_REUSED"


@pytest.mark.parametrize(
    ("name", "more", "incident", "fields"),
    [
        ("acknowledgeIncident", "", "nonsense", {"incidentId": "MALFORMED"}),
        (
            "acknowledgeIncident",
            'idempotencyKey: "", expectedVersion: -2',
            "nonsense",
            {
                "incidentId": "MALFORMED",
                "idempotencyKey": "MALFORMED",
                "expectedVersion": "OUT_OF_RANGE",
            },
        ),
        ("addIncidentNote", 'note: " "', "INC-1", {"note": "REQUIRED"}),
        ("snoozeIncident", 'until: "2020-01-01T00:00:00Z"', "INC-1", {"until": "IN_THE_PAST"}),
        (
            "resolveIncident",
            'resolution: {rootCause: "x", reason: FIXED, falsePositive: true}',
            "INC-1",
            {"resolution.falsePositive": "INCONSISTENT"},
        ),
    ],
)
def test_what_breaks_the_contract_is_told_all_at_once(
    api: Api, name: str, more: str, incident: str, fields: dict[str, str]
) -> None:
    told = refused(api, name, more, incident)
    assert told["code"] == "VALIDATION"
    assert {one["field"]: one["code"] for one in told["violations"]} == fields


def test_what_there_is_not_and_what_cannot_be(api: Api) -> None:
    assert refused(api, "acknowledgeIncident", incident="INC-9")["code"] == "NOT_FOUND"
    changed(api, "resolveIncident", f"resolution: {RESOLUTION}")
    impossible = refused(api, "snoozeIncident", f'until: "{LATER}"')
    assert (impossible["code"], impossible["currentStatus"]) == ("INVALID_STATE", "RESOLVED")


def test_one_that_fails_leaves_the_others_alone(api: Api) -> None:
    answer = sent(
        api,
        """mutation {
          a: addIncidentNote(incidentId: "INC-1", note: "one") { incident { version } }
          b: addIncidentNote(incidentId: "INC-9", note: "two") { incident { version } }
          c: addIncidentNote(incidentId: "INC-1", note: "three") { incident { version } }
        }""",
    ).json()
    versions = {name: one and one["incident"]["version"] for name, one in answer["data"].items()}
    assert versions["b"] is None
    assert versions["c"] == versions["a"] + 1
    assert [one["path"] for one in answer["errors"]] == [["b"]]


@pytest.mark.parametrize("accept", [GRAPHQL, "application/json"])
def test_nothing_is_changed_by_get(api: Api, accept: str) -> None:
    before = api.head()
    query = change("acknowledgeIncident")
    answer = api.get("/graphql", params={"query": query}, headers={"Accept": accept})
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    assert answer.json()["errors"][0]["extensions"]["code"] == "METHOD_NOT_ALLOWED"
    assert api.head() == before


def test_a_change_that_takes_too_long_may_have_happened() -> None:
    with serving(STATESTORE_GRAPHQL_TIMEOUT_SECONDS="0.05") as api:
        with replaced(api.container, change_incident=Sleeping()):
            answer = sent(api, change("acknowledgeIncident"))
        assert answer.status_code == 503
        assert answer.json()["errors"][0]["extensions"]["code"] == "OUTCOME_UNKNOWN"
