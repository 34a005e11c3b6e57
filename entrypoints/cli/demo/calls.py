"""The requests of the demo, as values: what is sent can be compared before anything is sent."""

from datetime import datetime

from attrs import frozen

from entrypoints.cli.running_server import Answer


@frozen
class Call:
    """A request. The incident that it opens is remembered as `opens`; `{name}` stands for it."""

    method: str
    path: str
    body: Answer
    opens: str = ""


@frozen
class Beat:
    """Something that happens at a moment, in words and in requests."""

    at: datetime
    said: str
    calls: tuple[Call, ...] = ()
    name: str = ""


def opening(name: str, body: Answer) -> Call:
    return Call("POST", "/api/v1/incidents", body, opens=name)


def change(name: str, body: Answer) -> Call:
    return Call("PATCH", f"/api/v1/incidents/{{{name}}}", body)


def action(name: str, what: str, body: Answer) -> Call:
    return Call("POST", f"/api/v1/incidents/{{{name}}}/{what}", body)


def batch(updates: list[Answer]) -> Call:
    return Call("POST", "/api/v1/signals/batch", {"updates": updates})


def declaration(spec_id: str, spec: Answer) -> Call:
    return Call("PUT", f"/api/v1/lineage/specs/{spec_id}", spec)
