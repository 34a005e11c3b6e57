"""Asks the operations of the API by their names, and records what they answer."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
from attrs import define, field, frozen

from tests.entrypoints.http.api import Api

DOCUMENT = Path(__file__).parents[3] / "docs" / "openapi.json"
API = json.loads(DOCUMENT.read_text())

JSON, LINES = "application/json", "application/x-ndjson"
ROUNDED = frozenset({"p50_milliseconds", "p99_milliseconds", "seconds"})
COUNTED = frozenset({"asked", "hits", "hit_rate", "local_entries"})
NAMED = frozenset(
    {"position", "event_id", "causation_id", "next_page_token", "statestore-position"}
)
"""What differs each time: durations, what caches count, and names that follow from the order."""
PROSE = frozenset(
    {"reason", "error_message", "message", "root_cause", "sentence", "source", "verdict", "what"}
)
"""What is written for people, unless it is an object, or a name in capitals."""


@frozen
class Operation:
    name: str
    method: str
    path: str
    answers: Mapping[str, Any]

    @property
    def schema(self) -> Mapping[str, Any]:
        """Of what is answered at success; nothing is known of lines."""
        status = min(status for status in self.answers if status < "300")
        content = self.answers[status].get("content", {})
        return dict(content.get(JSON, {}).get("schema", {}))


def operations() -> Iterator[Operation]:
    for path, methods in API["paths"].items():
        for method, one in methods.items():
            yield Operation(one["operationId"], method.upper(), path, one["responses"])


OPERATIONS = {one.name: one for one in operations()}


@define
class Recorder:
    api: Api
    recorded: dict[str, dict[str, Any]] = field(factory=dict)

    def __call__(self, name: str, json: Any = None, *, path: Any = None, **query: Any) -> Any:
        """Record the answer, once for each operation."""
        assert name not in self.recorded, f"{name} is recorded already"
        answer = self.ask(name, json, path=path, **query)
        operation = OPERATIONS[name]
        self.recorded[name] = {
            "operation": f"{operation.method} {operation.path}",
            "status": answer.status_code,
            "headers": _fixed(_headers(answer)),
            "body": _fixed(_body(answer)),
        }
        return _body(answer)

    def ask(self, name: str, json: Any = None, *, path: Any = None, **query: Any) -> httpx.Response:
        operation = OPERATIONS[name]
        sent = {"json": json} if json is not None else {}
        answer = self.api.ask(
            operation.method,
            operation.path.format(**(path or {})),
            params=query,
            headers={"X-Request-Id": name},
            **sent,
        )
        assert answer.status_code < 300, f"{name}: {answer.status_code} {answer.text}"
        return answer


def _headers(answer: httpx.Response) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name != "content-length"}


def _body(answer: httpx.Response) -> Any:
    """Of lines, the last: it holds the result."""
    if answer.headers.get("content-type", "").startswith(LINES):
        return json.loads(answer.text.splitlines()[-1])
    return answer.json() if answer.content else None


def _fixed(value: Any) -> Any:
    if isinstance(value, list):
        return [_fixed(one) for one in value]
    if isinstance(value, dict):
        return {name: _replaced(name)(one) for name, one in value.items()}
    return value


def _replaced(name: str) -> Callable[[Any], Any]:
    if name in ROUNDED | COUNTED:
        return lambda value: None if value is None else "<number>"
    if name in NAMED:
        return lambda value: None if value is None else f"<{name.replace('_', ' ')}>"
    return _without_prose if name in PROSE else _fixed


def _without_prose(value: Any) -> Any:
    return "<text>" if isinstance(value, str) and not value.isupper() else _fixed(value)
