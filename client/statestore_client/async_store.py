"""The client for programs on asyncio."""

from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from statestore_client.datasets import AsyncDatasets
from statestore_client.evidence import AsyncEvidence
from statestore_client.incidents import AsyncIncidents
from statestore_client.lineage import AsyncLineage
from statestore_client.policies import AsyncPolicies
from statestore_client.rules import AsyncRules
from statestore_client.signals import AsyncSignals
from statestore_client.transport.calls import Calls
from statestore_client.transport.connection import Tls, connection
from statestore_client.transport.positions import Positions
from statestore_client.transport.retry_policy import Retrying

TIMEOUT = 10.0
"""Seconds a call may take, all tries included."""


class AsyncStateStore:
    """One connection to a State Store, shared by all who call it on one event loop.

    Without `address` and `token`, STATESTORE_ADDRESS (or 127.0.0.1:50051) and STATESTORE_TOKEN
    count. Reads show this client's own writes, whichever process answers, unless
    `read_your_writes` is off; `position` goes on from another client's.
    """

    def __init__(
        self,
        address: str | None = None,
        *,
        token: str | None = None,
        tls: Tls | None = None,
        plaintext: bool = False,
        timeout: float = TIMEOUT,
        retrying: Retrying | None = None,
        read_your_writes: bool = True,
        position: str | None = None,
        channel_options: Mapping[str, Any] | None = None,
    ) -> None:
        self._calls = Calls(
            connection(address, token, tls, plaintext, channel_options or {}),
            retrying or Retrying(),
            timeout,
            Positions(read_your_writes, position),
        )
        self.signals = AsyncSignals(self._calls)
        self.incidents = AsyncIncidents(self._calls)
        self.datasets = AsyncDatasets(self._calls)
        self.rules = AsyncRules(self._calls)
        self.lineage = AsyncLineage(self._calls)
        self.policies = AsyncPolicies(self._calls)
        self.evidence = AsyncEvidence(self._calls)

    @property
    def position(self) -> str | None:
        """What reads show at least: this client's latest write, unless another was set.

        A log that was restored from an older copy has lost what came after it: the client forgets
        the position of such a write by itself. One that was set is refused until None is set.
        """
        return self._calls.positions.latest

    @position.setter
    def position(self, token: str | None) -> None:
        self._calls.positions.set(token)

    async def close(self) -> None:
        """Calls that are on their way end: reads are unavailable, writes may have been done."""
        await self._calls.channel.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()
