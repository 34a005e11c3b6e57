"""Bodies: what may come in, and what is refused before anyone looks into it."""

import gzip
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.entrypoints.http.api import ORDERS_DATASET, Api, fields, problem
from tests.support.event_loop_turns import others_go_on

DATASETS = "/api/v1/datasets"


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
            await others_go_on()

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
    assert len(fields(answer)) == 200


def test_very_many_violations_of_the_domain_are_told_in_part(api: Api) -> None:
    constraints: dict[str, Any] = {f"\n{number}": {} for number in range(10_000)}
    binding = {"contract_id": "c", "field_constraints": constraints}
    answer = api.post(DATASETS, {**ORDERS_DATASET, "contract_binding": binding})
    assert len(answer.json()["violations"]) == 200
    assert len(answer.content) < 100_000
