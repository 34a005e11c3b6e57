"""Transactions that arrive late: their caller has heard nothing and may have given up."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from attrs import define, field

from adapters.dynamodb.transport.errors import DynamoError
from adapters.dynamodb.transport.transport import Operation, Transport


@define
class LateOnes:
    _calls: int = 0
    _waiting: list[tuple[int, Mapping[str, Any]]] = field(factory=list)

    def add(self, request: Mapping[str, Any], *, calls: int) -> None:
        """Let so many calls overtake it."""
        self._waiting.append((self._calls + calls, request))

    async def arrive(self, transport: Transport) -> None:
        """Another call begins: send those whose time has come. Nobody waits for their replies."""
        self._calls += 1
        due = [request for at, request in self._waiting if at <= self._calls]
        self._waiting = [(at, request) for at, request in self._waiting if at > self._calls]
        for request in due:
            with suppress(DynamoError):
                await transport.call(Operation.TRANSACT_WRITE_ITEMS, request)
