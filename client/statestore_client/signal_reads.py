"""Signals: reading how datasets are, now and before."""

from collections.abc import AsyncIterator, Iterable, Sequence
from datetime import datetime
from typing import Unpack

from statestore_client.enums import State, Tier
from statestore_client.messages import signals_pb2 as pb
from statestore_client.models.signals import DatasetHealth, PastEvaluation, SignalState
from statestore_client.options import Reading
from statestore_client.transport.calls import Calls
from statestore_client.transport.translation import put, told


class SignalReads:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

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
        names = [pb.SignalKey(dataset_urn=urn, signal_type=kind) for urn, kind in signals]
        found: list[SignalState | None] = []
        for part, how_soon in self._calls.parts(names, how):
            answer = await self._calls.read(
                "SignalStateService/BatchGetSignalStates",
                pb.BatchGetSignalStatesRequest(signals=part),
                pb.BatchGetSignalStatesResponse,
                how_soon,
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


def _looked_up(found: pb.SignalLookupResult) -> SignalState | None:
    return told(SignalState, found.signal) if found.HasField("signal") else None
