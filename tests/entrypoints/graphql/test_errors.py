"""Errors have the codes of HTTP, and tell nothing of what nobody expected."""

from collections.abc import Iterator
from typing import Any

import pytest
from structlog.testing import capture_logs

from application.caller import Caller
from application.errors import Contended, Unavailable
from domain.errors import VersionMismatch
from tests.entrypoints.graphql.schema_client import JANE, Schema, the_error
from tests.entrypoints.http.api import Api, serving, update
from tests.entrypoints.http.validation.test_models import done


@pytest.fixture(scope="module")
def api() -> Iterator[Api]:
    """One for all: nothing is written here."""
    with serving() as served:
        yield served


CRITICAL = "{ criticalSignals { state } }"


@pytest.mark.parametrize(
    ("error", "code", "more"),
    [
        (Unavailable("the store", "it is busy"), "UNAVAILABLE", {}),
        (Contended(("a",), 3), "WRITE_CONTENTION", {}),
        (
            VersionMismatch("it", 1, 2),
            "VERSION_CONFLICT",
            {"currentVersion": 2, "expectedVersion": 1},
        ),
    ],
)
def test_expected_errors(
    api: Api, asked: Schema, error: Exception, code: str, more: dict[str, Any]
) -> None:
    with api.failing("list_not_ok", error):
        told = asked.refused(CRITICAL)
    assert told.pop("title")
    assert told == {"code": code, "requestId": JANE.correlation_id, **more}


def test_unexpected_errors_are_masked_and_logged(api: Api, asked: Schema) -> None:
    secret = RuntimeError("the password is 1234")
    with api.failing("list_not_ok", secret), capture_logs() as logs:
        result = asked.ask(CRITICAL)
    assert result.data is None
    error = the_error(result)
    assert error.message == "Something went wrong inside"
    assert error.path == ["criticalSignals"]
    assert (error.extensions or {})["code"] == "INTERNAL"
    assert error.original_error is None
    assert "1234" not in str(error.formatted)
    assert [(line["event"], line["path"], line["exc_info"]) for line in logs] == [
        ("request_failed", ["criticalSignals"], secret)
    ]


def test_a_part_that_fails_leaves_the_rest(api: Api, asked: Schema) -> None:
    query = '{ incident(incidentId: "INC-1") { title } criticalSignals { state } }'
    with api.failing("read_incident", Unavailable("the store", "it is busy")):
        result = asked.ask(query)
    assert result.data == {"incident": None, "criticalSignals": []}
    assert [error.path for error in result.errors or ()] == [["incident"]]


def test_what_belongs_to_rows_fails_all_of_them_and_is_logged_once() -> None:
    with serving() as api:
        for number in range(3):
            path = api.registered(dataset_urn=f"urn:dp:orders:table_{number}:v1")
            done(api.put(f"{path}/signals/VOLUME", update(0, "CRITICAL")))
        with api.failing("read_datasets", RuntimeError("broken")), capture_logs() as logs:
            result = Schema(api).ask("{ criticalSignals { state dataset { tier } } }")
    assert result.data == {"criticalSignals": [{"state": "CRITICAL", "dataset": None}] * 3}
    codes = [(error.extensions or {})["code"] for error in result.errors or ()]
    assert codes == ["INTERNAL"] * 3
    assert [line["event"] for line in logs] == ["request_failed"]


def test_callers_who_may_not(asked: Schema) -> None:
    result = asked.ask(CRITICAL, by=Caller("mallory"))
    error = the_error(result)
    assert (error.extensions or {})["code"] == "FORBIDDEN"


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("#", "GRAPHQL_PARSE_FAILED"),
        ("{", "GRAPHQL_PARSE_FAILED"),
        ("{ nothing }", "GRAPHQL_VALIDATION_FAILED"),
        ("{ criticalSignals }", "GRAPHQL_VALIDATION_FAILED"),
        ("{ criticalSignals(limit: 3000000000) { state } }", "GRAPHQL_VALIDATION_FAILED"),
        ("{ activeIncidents(severity: SEV_9) { title } }", "GRAPHQL_VALIDATION_FAILED"),
        ('{ activeIncidents(asOf: "yesterday") { title } }', "GRAPHQL_VALIDATION_FAILED"),
        ('{ activeIncidents(asOf: "2026-01-15") { title } }', "GRAPHQL_VALIDATION_FAILED"),
        ("{ activeIncidents(asOf: 3) { title } }", "GRAPHQL_VALIDATION_FAILED"),
        ("{ incidents { edges { cursor } } }", "GRAPHQL_VALIDATION_FAILED"),
        ("query($x: Int!) { criticalSignals(limit: $x) { state } }", "GRAPHQL_VALIDATION_FAILED"),
    ],
)
def test_documents_that_do_not_fit(asked: Schema, query: str, code: str) -> None:
    assert asked.refused(query)["code"] == code


@pytest.mark.parametrize("moment", ["yesterday", "2026-13-01T00:00:00Z", 3, True, {}, "\ud800"])
def test_moments_in_variables_that_are_none(asked: Schema, moment: object) -> None:
    query = "query($at: DateTime) { criticalSignals(asOf: $at) { state } }"
    assert asked.refused(query, at=moment)["code"] == "GRAPHQL_VALIDATION_FAILED"


def test_moments_say_what_they_should_be(asked: Schema) -> None:
    result = asked.ask('{ criticalSignals(asOf: "2026-01-15 10:00") { state } }')
    error = the_error(result)
    assert "such as 2026-01-15T10:00:00.000Z" in error.message
