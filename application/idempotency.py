"""
Requests that were answered: how a repeated request key is recognised, for ever.

The fact lies in a stream of its own and is appended together with the facts of the decision, so
that a request is either answered and remembered or neither.
"""

import hashlib
from collections.abc import Mapping

from attrs import frozen

from application.caller import Caller, RequestKey
from application.errors import KeyReused
from domain.streams import Category, Stream


@frozen
class Answered:
    """The request led to these stream versions."""

    fingerprint: str
    versions: Mapping[str, int]


@frozen
class Request:
    answered: Answered | None = None

    def answer_to(self, request: RequestKey) -> Answered | None:
        """What the request led to before.

        Raises:
            KeyReused: The key came with another content.
        """
        if self.answered and self.answered.fingerprint != request.fingerprint:
            raise KeyReused(request.key)
        return self.answered

    def after(self, fact: Answered) -> "Request":
        return Request(fact)


REQUEST = Category("request", Request())


def request_stream(by: Caller, request: RequestKey) -> Stream[Request]:
    """Keys are the caller's own: two callers may use the same one."""
    name = f"{len(by.principal)}:{by.principal}{request.key}"
    return REQUEST.stream(hashlib.sha256(name.encode()).hexdigest()[:40])
