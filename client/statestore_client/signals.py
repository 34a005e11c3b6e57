"""Signals: reporting what was found out about windows."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable, Sequence
from inspect import isawaitable
from typing import Any, Unpack

from statestore_client.errors import NotFound, StateStoreError, VersionConflict
from statestore_client.messages import signals_pb2 as pb
from statestore_client.models.answers import ANY_VERSION
from statestore_client.models.signals import (
    Evaluation,
    SignalState,
    SignalUpdate,
    SignalUpdated,
)
from statestore_client.options import Writing
from statestore_client.signal_reads import SignalReads
from statestore_client.streaming.batches import AsyncBatches
from statestore_client.streaming.outcomes import Outcome, Report, outcome_of, report, to_request
from statestore_client.streaming.signal_exchange import SignalDialogue
from statestore_client.streaming.streams import AsyncStream
from statestore_client.transport.attempts import Answered
from statestore_client.transport.calls import MOST_AT_ONCE
from statestore_client.transport.update_outcomes import settled

Decided = Evaluation | None
Decide = Callable[[SignalState | None], Decided | Awaitable[Decided]]


class AsyncSignals(SignalReads):
    async def update(
        self,
        dataset_urn: str,
        signal_type: str,
        evaluation: Evaluation,
        *,
        expected_version: int = ANY_VERSION,
        **how: Unpack[Writing],
    ) -> SignalUpdated:
        """Report the evaluation of a window.

        Raises:
            VersionConflict: The signal is at another version than expected.
        """
        update = SignalUpdate(
            dataset_urn=dataset_urn,
            signal_type=signal_type,
            evaluation=evaluation,
            expected_version=expected_version,
        )
        answered = await self._calls.write(
            "SignalStateService/UpdateSignalState",
            to_request(update),
            pb.UpdateSignalStateResponse,
            how,
            repeatable=True,
        )
        outcome = outcome_of(answered.message)
        if answered.repeated:
            outcome = await self._settled(update, outcome, answered)
        if isinstance(outcome, StateStoreError):
            raise outcome
        return outcome

    async def update_with_retry(
        self, dataset_urn: str, signal_type: str, decide: Decide, *, tries: int = 10
    ) -> SignalUpdated | None:
        """Read the signal, decide, write; and again if somebody else wrote in between (S0-203).

        `decide` is given the signal, None if it was never evaluated, and returns what is to be
        reported, None if nothing is. It may be called several times.

        Raises:
            VersionConflict: Others were faster every time.
        """
        for tried in range(1, tries + 1):
            now = await self._latest(dataset_urn, signal_type)
            decided = decide(now)
            evaluation = await decided if isawaitable(decided) else decided
            if evaluation is None:
                return None
            version = 0 if now is None else now.version
            try:
                return await self.update(
                    dataset_urn, signal_type, evaluation, expected_version=version
                )
            except VersionConflict:
                if tried == tries:
                    raise
            await asyncio.sleep(random.uniform(0, self._calls.retrying.first_pause))
        raise ValueError("tries must be at least 1")

    async def _latest(self, dataset_urn: str, signal_type: str) -> SignalState | None:
        try:
            return await self.get(dataset_urn, signal_type, strong=True)
        except NotFound:
            return None

    async def update_many(
        self, updates: Iterable[SignalUpdate], **how: Unpack[Writing]
    ) -> Sequence[Outcome]:
        """Report many, at most 500: each succeeds or fails by itself, and its outcome says how.

        Updates of one signal are taken in the order given.
        """
        sent = list(updates)
        if len(sent) > MOST_AT_ONCE:
            raise ValueError(f"at most {MOST_AT_ONCE} at once; batching() takes as many as come")
        return await self._sent([report(one) for one in sent], how)

    async def _sent(self, reports: Sequence[Report], how: Writing) -> Sequence[Outcome]:
        answered = await self._calls.write(
            "SignalStateService/BatchUpdateSignalState",
            pb.BatchUpdateSignalStateRequest(updates=[one.request for one in reports]),
            pb.BatchUpdateSignalStateResponse,
            how,
            repeatable=True,
        )
        outcomes = [outcome_of(one) for one in answered.message.results]
        if not answered.repeated:
            return outcomes
        return [
            await self._settled(one.update, outcome, answered)
            for one, outcome in zip(reports, outcomes, strict=True)
        ]

    async def _settled(
        self, update: SignalUpdate, outcome: Outcome, answered: Answered[Any]
    ) -> Outcome:
        return await settled(
            self._calls, update, outcome, key=answered.key, deadline=answered.deadline
        )

    def batching(
        self, *, size: int = 100, every: float = 0.02, most_waiting: int = 5_000
    ) -> AsyncBatches[SignalUpdate, Report, SignalUpdated]:
        """Collect updates and send them together: `size` at once, or what came within `every`
        seconds. `most_waiting` are kept; who adds more waits."""
        if not 0 < size <= MOST_AT_ONCE:
            raise ValueError(f"size must be 1 to {MOST_AT_ONCE}")
        return AsyncBatches(report, self._batch, size, every, most_waiting)

    async def _batch(self, reports: Sequence[Report]) -> Sequence[Outcome]:
        # A key for each batch would double what is stored, and buy nothing: see `Calls`.
        return await self._sent(reports, {"idempotency_key": None})

    def stream(
        self,
        *,
        most_waiting: int = 2_000,
        answer_within: float | None = None,
        patience: float = 60.0,
    ) -> AsyncStream[SignalUpdate, Report, SignalUpdated]:
        """Report without an end over one connection; `most_waiting` may be without an answer.

        A connection that is lost, or on which no answer comes for `answer_within` seconds (the
        client's timeout if nothing is said), is made anew; after `patience` without any progress
        the stream is given up.
        """
        within = self._calls.timeout if answer_within is None else answer_within
        dialogue = SignalDialogue(self._calls)
        return AsyncStream(self._calls, dialogue, most_waiting, within, patience)
