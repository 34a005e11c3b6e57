"""Every kind of error is a problem document with a stable code (RFC 9457)."""

import pytest
from structlog.testing import capture_logs

from application.errors import Contended, Forbidden, OutcomeUnknown, TooMuch, Unavailable
from tests.entrypoints.http.api import ORDERS, Api, fields, problem

DATASETS = "/api/v1/datasets"


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer ", "Bearer wrong", "Basic YTpi"])
def test_without_a_good_token(api: Api, header: str | None) -> None:
    headers = {"Authorization": header} if header is not None else {}
    client = api.client
    del client.headers["Authorization"]
    for method, path in (("GET", DATASETS), ("POST", DATASETS), ("PUT", f"{DATASETS}/x")):
        # Nothing of the request is looked at before the caller is known.
        answer = api.ask(method, path, headers=headers, params={"page_size": "0"})
        assert answer.status_code == 401
        assert problem(answer)["code"] == "UNAUTHENTICATED"
        assert answer.headers["www-authenticate"].startswith("Bearer")


def test_who_may_not(api: Api) -> None:
    with api.failing("list_datasets", Forbidden("joe", "dataset:read", "*")):
        answer = api.get(DATASETS)
    assert answer.status_code == 403
    assert problem(answer)["code"] == "FORBIDDEN"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Unavailable("the event log", "disk full"), "UNAVAILABLE"),
        (Contended(("dataset-x",), 50), "WRITE_CONTENTION"),
        (OutcomeUnknown("the event log", "no reply"), "OUTCOME_UNKNOWN"),
    ],
)
def test_what_works_again_later(api: Api, error: Exception, code: str) -> None:
    with api.failing("list_datasets", error):
        answer = api.get(DATASETS)
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "1"
    assert problem(answer)["code"] == code


def test_what_is_too_much_to_be_stored_is_not_asked_for_again(api: Api) -> None:
    with api.failing("list_datasets", TooMuch("an append to 99 streams", "98 is the most")):
        answer = api.get(DATASETS)
    assert (answer.status_code, problem(answer)["code"]) == (413, "TRANSACTION_TOO_LARGE")
    assert "retry-after" not in answer.headers


def test_what_nobody_expected(api: Api) -> None:
    with api.failing("list_datasets", RuntimeError("secret: 42")), capture_logs() as logs:
        answer = api.get(DATASETS)
    assert answer.status_code == 500
    assert problem(answer)["code"] == "INTERNAL"
    assert "secret" not in answer.text
    assert [line["event"] for line in logs] == ["request_failed", "http_request_completed"]
    assert logs[1]["status"] == 500


@pytest.mark.parametrize("path", ["/", "/api/v1", "/api/v1/nothing", f"{DATASETS}/"])
def test_unknown_paths(api: Api, path: str) -> None:
    answer = api.get(path)
    assert answer.status_code == 404
    assert problem(answer)["code"] == "NOT_FOUND"


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        (DATASETS, "GET, HEAD, POST"),
        (f"{DATASETS}/{ORDERS}", "DELETE, GET, HEAD, PUT"),
        (f"{DATASETS}/{ORDERS}/signals/VOLUME", "GET, HEAD, PUT"),
        ("/api/v1/signals/batch", "POST"),
        ("/livez", "GET, HEAD"),
    ],
)
def test_unknown_methods(api: Api, path: str, allowed: str) -> None:
    answer = api.ask("PATCH", path)
    assert answer.status_code == 405
    assert answer.headers["allow"] == allowed
    assert problem(answer)["code"] == "METHOD_NOT_ALLOWED"


def test_a_parameter_with_a_typing_error_is_named(api: Api) -> None:
    answer = api.get("/api/v1/signals?teir=TIER_3&state=CRITICAL&nonsense=1")
    assert fields(answer) == {"teir": "UNKNOWN_PARAMETER", "nonsense": "UNKNOWN_PARAMETER"}
    assert "did you mean tier?" in answer.text
    path = api.registered()
    assert fields(api.put(f"{path}?dry_run=1", {})) == {"dry_run": "UNKNOWN_PARAMETER"}
    assert api.get("/api/v1/signals?tier=TIER_3&state=CRITICAL&state=WARNING").status_code == 200
