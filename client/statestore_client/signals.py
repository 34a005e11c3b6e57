"""Signals: reporting what was found out about windows, and reading how datasets are."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from datetime import datetime
from inspect import isawaitable
from typing import Unpack

from statestore_client.asking import Reading, Writing
from statestore_client.batches import AsyncBatches
from statestore_client.calls import Calls
from statestore_client.errors import NotFound, StateStoreError, VersionConflict
from statestore_client.line import Standing
from statestore_client.messages import signals_pb2 as pb
from statestore_client.models.answers import ANY_VERSION
from statestore_client.models.signals import (
    DatasetHealth,
    Evaluation,
    PastEvaluation,
    SignalState,
    SignalUpdate,
    SignalUpdated,
)
from statestore_client.outcomes import Outcome, outcome_of, settled, to_request
from statestore_client.streams import AsyncSignalStream
from statestore_client.translation import put, told
from statestore_client.words import State, Tier

MOST_AT_ONCE = 500

Decided = Evaluation | None
Decide = Callable[[SignalState | None], Decided | Awaitable[Decided]]


class AsyncSignals:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

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
            outcome = await settled(self._calls, update, outcome)
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
        return await self._sent(sent, [to_request(one) for one in sent], how)

    async def _sent(
        self,
        updates: Sequence[SignalUpdate],
        requests: Sequence[pb.UpdateSignalStateRequest],
        how: Writing,
    ) -> Sequence[Outcome]:
        answered = await self._calls.write(
            "SignalStateService/BatchUpdateSignalState",
            pb.BatchUpdateSignalStateRequest(updates=requests),
            pb.BatchUpdateSignalStateResponse,
            how,
            repeatable=True,
        )
        outcomes = [outcome_of(one) for one in answered.message.results]
        if not answered.repeated:
            return outcomes
        return [
            await settled(self._calls, update, outcome)
            for update, outcome in zip(updates, outcomes, strict=True)
        ]

    def batching(
        self, *, size: int = 100, every: float = 0.02, most_waiting: int = 5_000
    ) -> AsyncBatches:
        """Collect updates and send them together: `size` at once, or what came within `every`
        seconds. `most_waiting` are kept; who adds more waits."""
        if not 0 < size <= MOST_AT_ONCE:
            raise ValueError(f"size must be 1 to {MOST_AT_ONCE}")
        return AsyncBatches(self._batch, size, every, most_waiting)

    async def _batch(self, standing: Sequence[Standing]) -> Sequence[Outcome]:
        # A key for each batch would double what is stored, and buy nothing: see `Calls`.
        return await self._sent(
            [one.update for one in standing],
            [one.request for one in standing],
            {"idempotency_key": None},
        )

    def stream(
        self,
        *,
        most_waiting: int = 2_000,
        answer_within: float | None = None,
        patience: float = 60.0,
    ) -> AsyncSignalStream:
        """Report without an end over one connection; `most_waiting` may be without an answer.

        A connection that is lost, or on which no answer comes for `answer_within` seconds (the
        client's timeout if nothing is said), is made anew; after `patience` without any progress
        the stream is given up.
        """
        within = self._calls.timeout if answer_within is None else answer_within
        return AsyncSignalStream(self._calls, most_waiting, within, patience)

    async def get(self, dataset_urn: str, signal_type: str, **how: Unpack[Reading]) -> SignalState:
        request = pb.GetSignalStateRequest(dataset_urn=dataset_urn, signal_type=signal_type)
        answer = await self._calls.read(
            "SignalStateService/GetSignalState", request, pb.SignalState, how
        )
        return told(SignalState, answer)

    async def get_many(
        self, signals: Iterable[tuple[str, str]], **how: Unpack[Reading]
    ) -> Sequence[SignalState | None]:
        """Many signals by dataset and type, in their order; None for what was never evaluated."""
        names = [pb.SignalName(dataset_urn=urn, signal_type=kind) for urn, kind in signals]
        found: list[SignalState | None] = []
        for start in range(0, len(names), MOST_AT_ONCE):
            request = pb.BatchGetSignalStatesRequest(signals=names[start : start + MOST_AT_ONCE])
            answer = await self._calls.read(
                "SignalStateService/BatchGetSignalStates",
                request,
                pb.BatchGetSignalStatesResponse,
                how,
            )
            found += [_looked_up(one) for one in answer.results]
        return found

    async def of_dataset(self, dataset_urn: str, **how: Unpack[Reading]) -> Sequence[SignalState]:
        request = pb.GetDatasetSignalsRequest(dataset_urn=dataset_urn)
        answer = await self._calls.read(
            "SignalStateService/GetDatasetSignals", request, pb.GetDatasetSignalsResponse, how
        )
        return [told(SignalState, one) for one in answer.signals]

    async def health(self, dataset_urn: str, **how: Unpack[Reading]) -> DatasetHealth:
        """All signals of a dataset, the worst of their states, and its open incidents."""
        request = pb.GetDatasetHealthRequest(dataset_urn=dataset_urn)
        answer = await self._calls.read(
            "SignalStateService/GetDatasetHealth", request, pb.DatasetHealth, how
        )
        return told(DatasetHealth, answer)

    async def list(
        self,
        *,
        states: Iterable[State] = (),
        tier: Tier | None = None,
        owner_team: str | None = None,
        page_size: int = 0,
        **how: Unpack[Reading],
    ) -> AsyncIterator[SignalState]:
        """The signals that are not OK, the worst and the most important first; page by page."""
        request = pb.ListSignalsRequest(
            states=states, tier=tier or "", owner_team=owner_team or "", page_size=page_size
        )
        async for page in self._calls.pages(
            "SignalStateService/ListSignals", request, pb.ListSignalsResponse, how
        ):
            for one in page.signals:
                yield told(SignalState, one)

    async def history(
        self,
        dataset_urn: str,
        signal_type: str,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        page_size: int = 0,
        **how: Unpack[Reading],
    ) -> AsyncIterator[PastEvaluation]:
        """The evaluations of windows that end within the span, as they were accepted."""
        request = pb.GetSignalHistoryRequest(
            dataset_urn=dataset_urn, signal_type=signal_type, page_size=page_size
        )
        put(request, "from", since)
        put(request, "to", until)
        async for page in self._calls.pages(
            "SignalStateService/GetSignalHistory", request, pb.GetSignalHistoryResponse, how
        ):
            for one in page.evaluations:
                yield told(PastEvaluation, one)


def _looked_up(found: pb.SignalLookup) -> SignalState | None:
    return told(SignalState, found.signal) if found.HasField("signal") else None
