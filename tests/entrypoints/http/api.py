"""
The HTTP application, asked without a network, on twins that live in memory.

`TEST_ENGINE=dynamodb pytest tests/entrypoints/http` runs the same tests on DynamoDB Local.
"""

import asyncio
import os
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import httpx
from attrs import define, evolve, frozen
from dependency_injector import providers
from fastapi import FastAPI

from application.caller import Caller
from entrypoints.container import Container, build
from entrypoints.http.app import create_app
from entrypoints.settings.loading import Engine, load
from entrypoints.wiring.opening import close, open_tables
from tests.adapters.dynamodb.rows.engines import row_tables
from tests.entrypoints.support.dynamodb_settings import on_dynamodb

T = TypeVar("T")

ENGINE = os.environ.get("TEST_ENGINE", "memory")
TOKEN = "a-token-for-tests-only"
OTHER_TOKEN = "another-token-for-tests"
NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)
NOW = NOON + timedelta(days=1)
ORDERS = "urn:dp:orders:order_created:v1"
EVIDENCE = "evd-01HQXY8MNP4QR7ST9VW2XYZ456"
REQUIRED = ("state", "score", "window_start", "window_end", "metrics", "expected_version")
"""What every update must say."""

ORDERS_DATASET: dict[str, Any] = {
    "dataset_urn": ORDERS,
    "display_name": "Orders - Order Created Events",
    "description": "Domain events\nfor new orders",
    "tier": "TIER_1",
    "owner_team": "orders-platform",
    "owner_email": "orders-platform@company.com",
    "oncall_rotation": "orders-oncall",
    "source": {"type": "KAFKA", "topic": "raw.orders.events", "cluster": "main-msk-cluster"},
    "schema_binding": {
        "registry": "GLUE",
        "schema_name": "orders.order_created",
        "schema_id": "glue:orders.order_created:17",
        "version_policy": "LATEST",
        "compatibility": "BACKWARD",
    },
    "contract_binding": {
        "contract_id": "dc:orders.order_created:3",
        "required_fields": ["order_id", "customer_id"],
        "field_constraints": {
            "total_amount": {"type": "number", "min": 0, "max": None, "pattern": None},
            "customer_id": {
                "type": "string",
                "min": None,
                "max": None,
                "pattern": "^cust-[a-z0-9]+$",
            },
        },
    },
    "slos": {
        "freshness": {"max_delay_seconds": 300, "evaluation_window": "TUMBLING_5MIN"},
        "volume": {
            "min_events_per_window": 100,
            "max_deviation_percent": 50,
            "baseline_window_days": 7,
        },
        "contract_compliance": {"min_compliance_rate": 0.95},
    },
    "pii_policy": {
        "scan_enabled": True,
        "fields_to_scan": ["customer_email"],
        "action_on_detection": "WARN",
    },
    "retention_days": 90,
    "incident_policy": {
        "auto_resolve": True,
        "auto_resolve_windows": 5,
        "reopen_on_relapse": False,
        "end_snoozes": True,
    },
}
"""The design's example, with everything that can be said."""


@define
class StandingClock:
    at: datetime = NOW

    def now(self) -> datetime:
        return self.at


class TwoPeople:
    """Two callers who may do everything."""

    def identify(self, token: str) -> Caller | None:
        names = {TOKEN: "jane@company.example", OTHER_TOKEN: "joe@company.example"}
        if token not in names:
            return None
        return Caller(names[token], roles=frozenset({"admin"}))


@define
class Api:
    container: Container
    app: FastAPI
    clock: StandingClock
    loop: asyncio.Runner
    client: httpx.AsyncClient
    following: asyncio.Task[None]

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """As the runner does, but for its look-out for Ctrl-C, a twentieth of a request's time."""
        return self.loop.get_loop().run_until_complete(work)

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        return self.run(self.client.request(method, path, **more))

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.ask("GET", path, **more)

    def post(self, path: str, json: Any = None, **more: Any) -> httpx.Response:
        return self.ask("POST", path, json=json, **more)

    def put(self, path: str, json: Any = None, **more: Any) -> httpx.Response:
        return self.ask("PUT", path, json=json, **more)

    def patch(self, path: str, json: Any = None, **more: Any) -> httpx.Response:
        return self.ask("PATCH", path, json=json, **more)

    def delete(self, path: str, **more: Any) -> httpx.Response:
        return self.ask("DELETE", path, **more)

    def stop_projecting(self) -> None:
        self.following.cancel()
        self.loop.run(asyncio.wait([self.following]))

    def head(self) -> int:
        """How much was recorded."""
        return self.run(self.container.feed().head())

    def registered(self, **other: Any) -> str:
        """The path of a dataset that is registered now."""
        answer = self.post("/api/v1/datasets", {**ORDERS_DATASET, **other})
        assert answer.status_code == 201, answer.text
        return answer.headers["location"]

    @contextmanager
    def failing(self, use_case: str, error: Exception) -> Iterator[None]:
        with replaced(self.container, **{use_case: Raising(error)}):
            yield


@contextmanager
def replaced(container: Container, **use_cases: object) -> Iterator[None]:
    """Others stand for some of the use cases, also where the record was made already."""
    changed: dict[str, Any] = use_cases
    record = evolve(container.use_cases(), **changed)
    with container.use_cases.override(providers.Object(record)):
        yield


@contextmanager
def serving(
    engine: str = ENGINE,
    prepare: Callable[[Container], None] = lambda container: None,
    /,
    **settings: str,
) -> Iterator[Api]:
    """`prepare` may put something else into the container before anything is made of it."""
    ground = on_dynamodb() if engine == "dynamodb" else nullcontext({"STATESTORE_ENGINE": engine})
    with ground as environment, _serving({**environment, **settings}, prepare) as api:
        yield api


@contextmanager
def _serving(environment: dict[str, str], prepare: Callable[[Container], None]) -> Iterator[Api]:
    container = build(load(environment, Path("no-such-file")))
    prepare(container)
    clock = StandingClock()
    container.clock.override(providers.Object(clock))
    container.identities.override(providers.Object(TwoPeople()))
    container.page_secret.override(providers.Object(b"page secret"))
    with asyncio.Runner() as loop:
        loop.run(_opened(container))
        app = create_app(container)
        loop.run(container.runner().resume())
        following = loop.get_loop().create_task(container.runner().run())
        api = Api(container, app, clock, loop, _client(app), following)
        yield api
        api.stop_projecting()
        loop.run(close(container))


async def _opened(container: Container) -> None:
    if container.settings().engine is Engine.DYNAMODB:
        # The tables are there already; clients that would look after them take long to make.
        container.row_tables.override(row_tables(container.settings().table_prefix))
        container.folder()
        await container.log().open()
    await open_tables(container)


def _client(app: FastAPI) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app),
        base_url="http://statestore.test",
        headers={"Authorization": f"Bearer {TOKEN}"},
    )


@frozen
class Raising:
    """Stands for any use case."""

    error: Exception

    async def __call__(self, *_: Any, **__: Any) -> None:
        raise self.error


def update(window: int, state: str = "OK", **other: Any) -> dict[str, Any]:
    """A report on the n-th window of five minutes after noon."""
    end = NOON + timedelta(minutes=5 * (window + 1))
    explained = {
        "failure_signature": "MISSING_FIELD:customer_id",
        "top_producer": {"producer_id": "orders-svc", "version": "v3.17", "confidence": "HIGH"},
        "evidence_sample": [EVIDENCE],
    }
    return {
        "state": state,
        "score": 0.5,
        "slo_threshold": 0.95,
        "window_start": (end - timedelta(minutes=5)).isoformat(),
        "window_end": end.isoformat(),
        "window_type": "TUMBLING_5MIN",
        "metrics": {"evidence_count": 10, "pass_count": 5, "fail_count": 5},
        "expected_version": -1,
        **({} if state == "OK" else explained),
        **other,
    }


def fields(answer: httpx.Response) -> dict[str, str]:
    """The violations of an answer by field: their codes."""
    assert answer.status_code == 422, answer.text
    return {one["field"]: one["code"] for one in answer.json()["violations"]}


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
