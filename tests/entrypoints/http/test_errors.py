"""Every kind of error is a problem document with a stable code (RFC 9457)."""

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
from structlog.testing import capture_logs

from application.errors import Contended, Forbidden, Unavailable
from tests.entrypoints.http.api import ORDERS, ORDERS_DATASET, Api, fields, update

DATASETS = "/api/v1/datasets"


def problem(answer: httpx.Response) -> dict[str, Any]:
    """The document, which has all that every one has."""
    assert answer.headers["content-type"] == "application/problem+json"
    told: dict[str, Any] = answer.json()
    assert told["status"] == answer.status_code
    assert told["type"] == f"urn:statestore:problem:{told['code']}"
    assert told["title"]
    assert told["detail"]
    assert told["instance"] == answer.request.url.path
    assert told["request_id"] == answer.headers["x-request-id"]
    return told


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
        (Contended(("dataset-x",), 50), "CONTENDED"),
    ],
)
def test_what_works_again_later(api: Api, error: Exception, code: str) -> None:
    with api.failing("list_datasets", error):
        answer = api.get(DATASETS)
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "1"
    assert problem(answer)["code"] == code


def test_what_nobody_expected(api: Api) -> None:
    with api.failing("list_datasets", RuntimeError("secret: 42")), capture_logs() as logs:
        answer = api.get(DATASETS)
    assert answer.status_code == 500
    assert problem(answer)["code"] == "INTERNAL"
    assert "42" not in answer.text
    assert [line["event"] for line in logs] == ["unexpected_error", "http_request"]
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


# Bodies.


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"{'a': 1}",
        b'{"score": NaN}',
        b'{"score": -Infinity}',
        b'{"score": 1e999}',
        b'{"display_name": "\xff"}',
        b'{"display_name": "\\ud800"}',
        b"[" * 100_000,
        b'{"a":' * 65 + b"1" + b"}" * 65,
        b'{"a": 1} {}',
    ],
)
def test_bodies_that_are_not_json(api: Api, body: bytes) -> None:
    answer = api.ask("POST", DATASETS, content=body)
    assert answer.status_code == 400
    assert problem(answer)["code"] == "MALFORMED_JSON"


def test_nesting_up_to_the_limit_is_read(api: Api) -> None:
    nested: Any = 1
    for _ in range(62):
        nested = [nested]
    answer = api.post("/api/v1/resolve", {"topic": "a", "payload": nested})
    assert answer.status_code == 200


@pytest.mark.parametrize("body", [b"[]", b"null", b"3", b'"text"', b"true"])
def test_bodies_that_are_no_objects(api: Api, body: bytes) -> None:
    assert fields(api.ask("POST", DATASETS, content=body)) == {"body": "WRONG_TYPE"}


@pytest.mark.parametrize(
    "kind",
    [
        "application/json",
        "application/json; charset=utf-8",
        "Application/JSON",
        "application/merge-patch+json",
        "application/x-www-form-urlencoded",
    ],
)
def test_content_types_that_may_hold_json(api: Api, kind: str) -> None:
    body = json.dumps(ORDERS_DATASET)
    answer = api.ask("POST", DATASETS, content=body, headers={"Content-Type": kind})
    assert answer.status_code == 201


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/xml"},
        {"Content-Type": "multipart/form-data; boundary=x"},
        {"Content-Type": "nonsense"},
        {"Content-Type": "application/json", "Content-Encoding": "gzip"},
    ],
)
def test_other_content_types(api: Api, headers: dict[str, str]) -> None:
    body = gzip.compress(json.dumps(ORDERS_DATASET).encode())
    answer = api.ask("POST", DATASETS, content=body, headers=headers)
    assert answer.status_code == 415
    assert problem(answer)["code"] == "UNSUPPORTED_MEDIA_TYPE"


def test_a_body_that_announces_to_be_too_large(api: Api) -> None:
    asked = []

    async def body() -> AsyncIterator[bytes]:
        asked.append(True)
        yield b" " * 2**20

    headers = {"Content-Length": str(2**20 + 1)}
    answer = api.ask("POST", DATASETS, content=body(), headers=headers)
    assert answer.status_code == 413
    assert problem(answer)["code"] == "TOO_LARGE"
    assert not asked


def test_a_body_that_turns_out_to_be_too_large(api: Api) -> None:
    sent = []

    async def body() -> AsyncIterator[bytes]:
        for _ in range(1000):
            sent.append(2**16)
            yield b" " * 2**16
            await asyncio.sleep(0)

    answer = api.ask("POST", DATASETS, content=body())
    assert "content-length" not in answer.request.headers
    assert answer.status_code == 413
    assert problem(answer)["code"] == "TOO_LARGE"
    assert answer.headers["connection"] == "close"
    assert sum(sent) <= 2**20 + 2**17


def test_a_body_of_the_largest_size(api: Api) -> None:
    body = json.dumps(ORDERS_DATASET)
    answer = api.ask("POST", DATASETS, content=body + " " * (2**20 - len(body)))
    assert answer.status_code == 201


def test_very_many_violations_are_told_in_part(api: Api) -> None:
    answer = api.post(DATASETS, {f"field{number}": 1 for number in range(10_000)})
    assert len(fields(answer)) < 250


# Page tokens.


def _page(api: Api, path: str, token: str, **params: Any) -> httpx.Response:
    return api.get(path, params={"page_token": token, **params})


def _bad_tokens(token: str) -> Iterator[str]:
    yield ""
    yield "nonsense"
    yield "ümlaut"
    yield token[:-1]
    yield "A" + token[1:]
    yield token + "A"


def test_page_tokens_cannot_be_made_up(api: Api) -> None:
    for number in range(3):
        api.registered(dataset_urn=f"urn:dp:o:n{number}:v1")
    token = api.get(DATASETS, params={"page_size": 1}).json()["next_page_token"]
    for bad in _bad_tokens(token):
        assert fields(_page(api, DATASETS, bad)) == {"page_token": "MALFORMED"}
    assert _page(api, DATASETS, token).status_code == 200
    assert _page(api, DATASETS, token, page_size=2).status_code == 200


def test_page_tokens_are_good_for_their_list_only(api: Api) -> None:
    for number in range(3):
        api.registered(dataset_urn=f"urn:dp:o:n{number}:v1")
    token = api.get(DATASETS, params={"page_size": 1}).json()["next_page_token"]
    assert fields(_page(api, DATASETS, token, tier="TIER_1")) == {"page_token": "MALFORMED"}
    assert fields(_page(api, "/api/v1/signals", token)) == {"page_token": "MALFORMED"}
    versions = f"{DATASETS}/urn:dp:o:n0:v1/versions"
    assert fields(_page(api, versions, token)) == {"page_token": "MALFORMED"}


# Around every request.


def test_request_ids_are_kept_or_made(api: Api) -> None:
    assert api.get("/livez", headers={"X-Request-Id": "abc-1.2_3"}).headers["x-request-id"] == (
        "abc-1.2_3"
    )
    for unusable in ("", "a b", "x" * 129, "a/b"):
        made = api.get("/livez", headers={"X-Request-Id": unusable}).headers["x-request-id"]
        assert made != unusable
        assert len(made) == 26


def test_the_request_id_is_kept_with_the_facts(api: Api) -> None:
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    headers = {"X-Request-Id": "made-by-me", "traceparent": trace}
    api.post(DATASETS, ORDERS_DATASET, headers=headers)
    recorded = api.loop.run(api.container.feed().read(0, 1))[0]
    assert recorded.correlation_id == "made-by-me"
    assert recorded.trace == trace
    assert recorded.by == "jane@company.example"


def test_a_log_line_per_request(api: Api) -> None:
    path = api.registered()
    with capture_logs() as logs:
        api.get(path)
        api.get("/nothing")
        api.get("/livez")
    told = [(line["log_level"], line["method"], line["path"], line["status"]) for line in logs]
    assert told == [
        ("info", "GET", "/api/v1/datasets/{urn}", 200),
        ("info", "GET", "(no such path)", 404),
        ("debug", "GET", "/livez", 200),
    ]
    assert all(line["ms"] >= 0 for line in logs)


def test_long_answers_are_compressed(api: Api) -> None:
    for number in range(3):
        api.registered(dataset_urn=f"urn:dp:o:n{number}:v1")
    assert api.get(DATASETS).headers["content-encoding"] == "gzip"
    assert "content-encoding" not in api.get("/livez").headers
    plain = api.get(DATASETS, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers


def test_answers_are_not_stored(api: Api) -> None:
    path = api.registered()
    for answer in (api.get(path), api.get(f"{path}/nothing"), api.put(path, {})):
        assert answer.headers["cache-control"] == "no-store"


def test_head_is_get_without_the_body(api: Api) -> None:
    path = api.registered()
    answer = api.ask("HEAD", path)
    assert answer.status_code == 200
    assert answer.content == b""
    assert answer.headers["etag"] == '"1"'


def test_an_update_while_the_read_models_stand_still(api: Api) -> None:
    """A write that is recorded is a success, whatever the read models do."""
    api.container.own_writes().patience = 0.01
    with api.failing("read_dataset", Unavailable("the read model", "it is being moved")):
        answer = api.post(DATASETS, ORDERS_DATASET)
    assert answer.status_code == 201
    assert answer.json()["config_version"] == 1
    assert answer.json()["created_at"] is None
    path = answer.headers["location"]
    assert api.put(f"{path}/signals/VOLUME", update(0)).status_code == 200
