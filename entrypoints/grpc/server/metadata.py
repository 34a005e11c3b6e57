"""What the metadata of a call says: who calls, and which request this is."""

import hashlib
from collections.abc import Callable, Iterable

from attrs import evolve, frozen
from google.protobuf.message import Message

from application.caller import Caller, RequestKey
from application.violations import refuse_any
from domain.errors import Violation
from entrypoints.interfaces.credentials import (
    Identities,
    bearer,
    key_violations,
    usable_request_id,
    usable_trace,
)

AUTHORIZATION = "authorization"
IDEMPOTENCY_KEY = "idempotency-key"
REQUEST_ID = "x-request-id"
TRACE = "traceparent"

_WANTED = frozenset({AUTHORIZATION, IDEMPOTENCY_KEY, REQUEST_ID, TRACE})


@frozen
class Heard:
    request_id: str
    said: dict[str, str]

    @classmethod
    def of(
        cls, metadata: Iterable[tuple[str, str | bytes]] | None, new_id: Callable[[], str]
    ) -> "Heard":
        said: dict[str, str] = {}
        for name, value in metadata or ():
            if name in _WANTED:
                # What is said twice is neither: as over HTTP, a list of both.
                said[name] = f"{said[name]}, {value!s}" if name in said else str(value)
        sent = said.get(REQUEST_ID)
        return cls((sent and usable_request_id(sent)) or new_id(), said)

    def caller(self, identities: Identities) -> Caller:
        """Raises Unauthenticated without a good bearer token."""
        known = bearer(self.said.get(AUTHORIZATION, ""), identities)
        trace = usable_trace(self.said[TRACE]) if TRACE in self.said else None
        return Caller(known.principal, known.roles, self.request_id, known.causation_id, trace)

    def writer(self, by: Caller, method: str, request: Message) -> Caller:
        """The caller of a write, with its request key if it sent one."""
        key = self.said.get(IDEMPOTENCY_KEY)
        if key is None:
            return by
        refuse_any(key_violations(IDEMPOTENCY_KEY, key))
        return evolve(by, request=RequestKey(key, _fingerprint(method, request)))

    def refuse_key(self) -> None:
        """Of a stream: a key stands for one request, and a stream has many."""
        if IDEMPOTENCY_KEY in self.said:
            found = Violation(IDEMPOTENCY_KEY, "UNSUPPORTED", "must not be sent with a stream")
            refuse_any([found])


def _fingerprint(method: str, request: Message) -> str:
    """The same for the same content, in whatever order its fields were sent."""
    said = method.encode() + b"\n" + request.SerializeToString(deterministic=True)
    return hashlib.sha256(said).hexdigest()
