"""The client for programs without asyncio."""

from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from statestore_client.async_store import TIMEOUT, AsyncStateStore
from statestore_client.blocking.groups import (
    Datasets,
    EvidenceGroup,
    Incidents,
    Lineage,
    Policies,
    Rules,
    Signals,
)
from statestore_client.blocking.loop_thread import LoopThread
from statestore_client.transport.connection import Tls
from statestore_client.transport.retry_policy import Retrying


class StateStore:
    """One connection to a State Store, shared by all threads that call it.

    The parameters are those of AsyncStateStore, which does the work on a loop in a thread of its
    own. Not to be carried over a fork: make one in each process, after the fork.
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
        self._awaited = AsyncStateStore(
            address,
            token=token,
            tls=tls,
            plaintext=plaintext,
            timeout=timeout,
            retrying=retrying,
            read_your_writes=read_your_writes,
            position=position,
            channel_options=channel_options,
        )
        self._thread = LoopThread()
        self.signals = Signals(self._awaited.signals, self._thread)
        self.incidents = Incidents(self._awaited.incidents, self._thread)
        self.datasets = Datasets(self._awaited.datasets, self._thread)
        self.rules = Rules(self._awaited.rules, self._thread)
        self.lineage = Lineage(self._awaited.lineage, self._thread)
        self.policies = Policies(self._awaited.policies, self._thread)
        self.evidence = EvidenceGroup(self._awaited.evidence, self._thread)

    @property
    def position(self) -> str | None:
        """See AsyncStateStore.position."""
        return self._awaited.position

    @position.setter
    def position(self, token: str | None) -> None:
        self._awaited.position = token

    def close(self) -> None:
        """Calls that are on their way end, and so does the thread. Not for callbacks."""
        self._thread.stop(self._awaited.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
