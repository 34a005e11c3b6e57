"""Who asks, and which request this is."""

import re
from typing import Protocol

from attrs import define

from application.caller import Caller
from domain.errors import Violation

_KEY = re.compile(r"[\x20-\x7e]{1,200}")
_TRACE = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:-.{0,200})?")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")


@define
class Unauthenticated(Exception):
    """No token, or not a good one."""

    reason: str

    def __str__(self) -> str:
        return self.reason


class Identities(Protocol):
    def identify(self, token: str) -> Caller | None:
        """Who holds the token; nobody if it is not a good one."""
        ...


def bearer(authorization: str, identities: Identities) -> Caller:
    """Whose token it is. Raises Unauthenticated without a good one."""
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthenticated("send a token: Authorization: Bearer …")
    known = identities.identify(token.strip())
    if known is None:
        raise Unauthenticated("the token is not a good one")
    return known


def key_violations(name: str, key: str) -> list[Violation]:
    """What is wrong with an idempotency key that was sent under that name."""
    if _KEY.fullmatch(key):
        return []
    return [Violation(name, "MALFORMED", "must have 1 to 200 printable ASCII characters")]


def usable_trace(said: str) -> str | None:
    """The caller's W3C trace context, if it is one."""
    return said if _TRACE.fullmatch(said) else None


def usable_request_id(said: str) -> str | None:
    return said if _REQUEST_ID.fullmatch(said) else None
