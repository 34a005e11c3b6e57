"""GraphQL over HTTP, beyond what the audit looks at."""

import asyncio
from collections import Counter
from typing import Any

import httpx
import pytest
from attrs import field, frozen
from structlog.testing import capture_logs

from application.errors import Unavailable
from entrypoints.graphql.transport.media_types import GRAPHQL, JSON
from tests.entrypoints.http.api import Api, replaced, serving
from tests.entrypoints.http.validation.test_models import peopled
from tests.support.event_loop_turns import others_go_on

QUERY = b'{"query": "{ __typename }"}'
HEALTH = '{ signalState(datasetUrn: "urn:dp:a:b:v1", signalType: "FRESHNESS") { state } }'


def asked(api: Api, document: Any, accept: str = GRAPHQL, **headers: str) -> httpx.Response:
    return api.post("/graphql", document, headers={"Accept": accept, **headers})


def error(answer: httpx.Response) -> dict[str, Any]:
    """The one error of an answer that has no data."""
    (found,) = answer.json()["errors"]
    assert "data" not in answer.json()
    assert found["extensions"]["requestId"] == answer.headers["x-request-id"]
    told: dict[str, Any] = {"message": found["message"], **found["extensions"]}
    return told


@pytest.mark.parametrize(
    ("accept", "answered"),
    [
        ("", JSON),
        ("*/*", JSON),
        ("application/*", JSON),
        (GRAPHQL, GRAPHQL),
        (f"{GRAPHQL}, {JSON};q=0.9", GRAPHQL),
        (f"{JSON};q=0.9,{GRAPHQL}", GRAPHQL),
        (f"{JSON}, {GRAPHQL};q=0.5", JSON),
        (f"{JSON}, {GRAPHQL}", JSON),
        (f"{GRAPHQL}, {JSON}", GRAPHQL),
        (f"{JSON};q=0, */*;q=0.1", GRAPHQL),
        (f"{JSON}; charset=utf-8", JSON),
        ("text/html, */*;q=0.1", JSON),
        (f"{JSON};q=nonsense, {GRAPHQL};q=0.1", GRAPHQL),
    ],
)
def test_the_media_type_liked_best_is_chosen(api: Api, accept: str, answered: str) -> None:
    answer = asked(api, {"query": "{ __typename }"}, accept)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == f"{answered}; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    assert "Accept" in answer.headers["vary"]


@pytest.mark.parametrize("accept", ["text/plain", "image/*", f"{JSON};q=0", "*/*;q=0"])
def test_who_likes_nothing_of_it_is_told_so(api: Api, accept: str) -> None:
    answer = asked(api, {"query": "{ __typename }"}, accept)
    assert answer.status_code == 406
    assert error(answer)["code"] == "NOT_ACCEPTABLE"


@pytest.mark.parametrize("authorization", ["", "Basic eDp5", "Bearer not-a-good-one"])
@pytest.mark.parametrize("accept", [GRAPHQL, JSON])
def test_strangers_get_nothing(api: Api, authorization: str, accept: str) -> None:
    answer = asked(api, {"query": "{ __typename }"}, accept, Authorization=authorization)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert error(answer)["code"] == "UNAUTHENTICATED"


def test_queries_by_get(api: Api) -> None:
    query = "query One { __typename } query Other($t: String!) { __type(name: $t) { name } }"
    chosen = {"query": query, "operationName": "Other", "variables": '{"t": "Query"}'}
    answer = api.get("/graphql", params=chosen)
    assert answer.json() == {"data": {"__type": {"name": "Query"}}}
    broken = api.get("/graphql", params={**chosen, "variables": "{"})
    assert (broken.status_code, error(broken)["code"]) == (400, "BAD_REQUEST")


def test_operations_that_there_are_not(api: Api) -> None:
    several = "query A { __typename } query B { __typename }"
    for document, said in (
        ({"query": several}, "several"),
        ({"query": several, "operationName": "C"}, "of that name"),
        ({"query": "fragment F on Query { __typename }"}, "never used"),
    ):
        answer = asked(api, document)
        assert answer.status_code == 400
        assert said in error(answer)["message"]
        assert asked(api, document, JSON).status_code == 200


@pytest.mark.parametrize("accept", [GRAPHQL, JSON])
def test_batches_are_refused(api: Api, accept: str) -> None:
    answer = asked(api, [{"query": "{ __typename }"}], accept)
    assert answer.status_code == 400
    assert error(answer)["code"] == "BATCHING_NOT_SUPPORTED"


@pytest.mark.parametrize(
    ("content", "headers", "status", "code"),
    [
        (b"{", {}, 400, "MALFORMED_JSON"),
        (b"", {}, 400, "MALFORMED_JSON"),
        (b'{"query": "\xff"}', {}, 400, "MALFORMED_JSON"),
        (b'{"query": "\\ud800"}', {}, 400, "MALFORMED_JSON"),
        (QUERY, {"Content-Type": "text/plain"}, 415, None),
        (QUERY, {"Content-Type": "application/x-www-form-urlencoded"}, 415, None),
        (QUERY, {"Content-Type": "multipart/form-data; boundary=x"}, 415, None),
        (QUERY, {"Content-Type": ""}, 415, None),
        (QUERY, {"Content-Encoding": "gzip"}, 415, None),
        (b"[" * 100 + b"]" * 100, {}, 400, "MALFORMED_JSON"),
    ],
)
def test_bodies_that_cannot_be_read(
    api: Api, content: bytes, headers: dict[str, str], status: int, code: str | None
) -> None:
    sent = {"Content-Type": "application/json", "Accept": GRAPHQL, **headers}
    answer = api.ask("POST", "/graphql", content=content, headers=sent)
    assert answer.status_code == status
    assert error(answer)["code"] == (code or "UNSUPPORTED_MEDIA_TYPE")


def test_bodies_that_are_too_large(api: Api) -> None:
    async def chunks() -> Any:
        for _ in range(20):
            yield b" " * 100_000

    headers = {"Content-Type": "application/json"}
    answer = api.ask("POST", "/graphql", content=chunks(), headers=headers)
    assert (answer.status_code, error(answer)["code"]) == (413, "TOO_LARGE")
    announced = api.ask("POST", "/graphql", content=b" " * 2_000_000, headers=headers)
    assert announced.status_code == 413


def test_other_methods_are_refused(api: Api) -> None:
    answer = api.put("/graphql", {"query": "{ __typename }"})
    assert answer.status_code == 405
    assert set(answer.headers["allow"].replace(" ", "").split(",")) >= {"GET", "POST"}


def test_head_is_get_without_the_answer(api: Api) -> None:
    answer = api.ask("HEAD", "/graphql?query={__typename}")
    assert (answer.status_code, answer.content) == (200, b"")


def test_what_is_expected_to_go_wrong_is_told_beside_the_data(api: Api) -> None:
    with api.failing("read_signal", Unavailable("the store", "it sleeps")):
        answer = asked(api, {"query": HEALTH})
    assert answer.status_code == 200
    assert answer.json()["data"] == {"signalState": None}
    (found,) = answer.json()["errors"]
    assert found["extensions"]["code"] == "UNAVAILABLE"
    assert found["path"] == ["signalState"]


def test_what_nobody_expected_is_not_told(api: Api) -> None:
    with api.failing("read_signal", RuntimeError("a secret")), capture_logs() as logs:
        answer = asked(api, {"query": HEALTH})
    assert answer.status_code == 200
    assert answer.json()["errors"][0]["extensions"]["code"] == "INTERNAL"
    assert "a secret" not in answer.text
    assert [one["event"] for one in logs if one["log_level"] == "error"] == ["request_failed"]


@frozen
class Sleeping:
    async def __call__(self, *_: Any, **__: Any) -> None:
        await asyncio.Event().wait()


def test_what_takes_too_long_is_given_up() -> None:
    with serving(STATESTORE_GRAPHQL_TIMEOUT_SECONDS="0.05") as api:
        with replaced(api.container, read_signal=Sleeping()):
            answer = asked(api, {"query": HEALTH})
            assert (answer.status_code, error(answer)["code"]) == (503, "DEADLINE_EXCEEDED")
            assert asked(api, {"query": HEALTH}, JSON).status_code == 200
        assert asked(api, {"query": HEALTH}).json() == {"data": {"signalState": None}}


@frozen
class Stuck:
    """Reads that never end; noted are those that began, and those that were ended."""

    noted: Counter[str]
    never: asyncio.Event = field(factory=asyncio.Event)
    """Kept: what waits for nothing that anybody knows is collected as garbage."""

    async def __call__(self, *_: Any, **__: Any) -> None:
        self.noted["begun"] += 1
        try:
            await self.never.wait()
        finally:
            self.noted["ended"] += 1


def test_what_is_given_up_is_not_read_on() -> None:
    noted = Counter[str]()
    query = "{ criticalSignals { dataset { tier } incident { title } } }"
    with serving(STATESTORE_GRAPHQL_TIMEOUT_SECONDS="0.2") as api:
        peopled(api)
        never = Stuck(noted)
        with replaced(api.container, read_datasets=never, read_incidents=never):
            assert error(asked(api, {"query": query}))["code"] == "DEADLINE_EXCEEDED"
        api.loop.run(others_go_on())
        assert noted == {"begun": 2, "ended": 2}
        assert not never.never.is_set()
