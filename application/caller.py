"""Who asks, and what the request is part of."""

from attrs import frozen


@frozen
class RequestKey:
    """A caller's promise that requests with this key mean the same one thing.

    `fingerprint` stands for the content: the same key with another one is an error.
    """

    key: str
    fingerprint: str


@frozen
class Caller:
    principal: str
    roles: frozenset[str] = frozenset()
    correlation_id: str = ""
    causation_id: str | None = None
    trace: str | None = None
    request: RequestKey | None = None
