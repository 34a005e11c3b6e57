"""Signal updates as the log gets them: the fact as it is stored, with its whole envelope."""

import asyncio
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from random import Random

from attrs import define, evolve, field

from adapters.eventstore.log import Append, NewEvent
from application.caller import Caller
from benchmarks.load.reports import WINDOW, caller, dataset_urn, report
from domain.ids import DatasetUrn, SignalType
from domain.signal.signal import SignalState
from domain.stream_categories import signal_stream
from domain.streams import StreamId
from entrypoints.container import Container, build
from entrypoints.settings.loading import load
from entrypoints.wiring.opening import close

DIFFERENT = 2_000
"""Events before contents repeat: many more than share a transaction, where they are compressed."""


@define
class SignalEvents:
    """Events of any stream and version; making one takes no longer than naming it."""

    _made: Sequence[NewEvent]
    _ids: Random = field(factory=lambda: Random(2026))
    _next: Iterator[NewEvent] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._next = cycle(self._made)

    @classmethod
    def made(cls, folder: Path) -> "SignalEvents":
        container = build(load({"STATESTORE_DATA_DIR": str(folder / "events")}, folder / "no.env"))
        try:
            return cls([_event(container, number) for number in range(DIFFERENT)])
        finally:
            asyncio.run(close(container))

    def event(self, stream: str, version: int) -> NewEvent:
        return evolve(
            next(self._next), stream=stream, version=version, event_id=self._ids.randbytes(16)
        )

    def append(self, stream: str, *versions: int) -> Append:
        return Append([self.event(stream, version) for version in versions])


def signal(number: int) -> StreamId:
    return signal_stream(DatasetUrn(dataset_urn(number)), SignalType("FRESHNESS"))


def _event(container: Container, number: int) -> NewEvent:
    told = report(dataset_urn(number), "FRESHNESS", number)
    assert told.window_end
    evaluation = told.parse(at=told.window_end).evaluated(told.window_end + WINDOW)
    fact = SignalState().evaluate(evaluation, expected_version=-1)[-1]
    ids = container.ulids()
    return container.mapper().event(signal(number), 1, fact, event_id=ids.raw(), by=_caller(number))


def _caller(number: int) -> Caller:
    """Ids of their own in every envelope: they hardly compress."""
    dice = Random(number)
    return evolve(
        caller(number),
        correlation_id=dice.randbytes(13).hex().upper(),
        causation_id=dice.randbytes(13).hex().upper(),
        trace=f"00-{dice.randbytes(16).hex()}-{dice.randbytes(8).hex()}-01",
    )
