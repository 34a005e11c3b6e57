"""Reading how a signal came about: the evaluations that were accepted."""

from collections.abc import Sequence
from datetime import datetime

from attrs import frozen

from application.caller import Caller
from application.ports.access import Access
from application.reads.consistency import Reads
from application.reads.demand import NOTHING, Answer, Demand
from application.reads.paging import Page, PageRequest
from application.reads.reader import StreamReads
from application.recorded import Recorded
from domain.errors import NotFound
from domain.ids import DatasetUrn, SignalType
from domain.signal.evaluation import Evaluation
from domain.signal.signal import Evaluated
from domain.stream_categories import signal_stream
from domain.streams import StreamId
from domain.validation import AHEAD

_SCANNED_AT_MOST = 2_000
_STEP = 100


@frozen
class PastEvaluation:
    """One accepted evaluation, as it stands in the history."""

    evaluation: Evaluation
    recorded_at: datetime
    was_current: bool
    position: int
    version: int
    """Of the signal, from then on."""


@frozen
class ReadHistory:
    """The evaluations of a signal whose windows end within a span, as they were accepted (T9)."""

    reads: Reads
    access: Access

    async def __call__(
        self,
        dataset: DatasetUrn,
        signal_type: SignalType,
        *,
        since: datetime | None,
        until: datetime | None,
        page: PageRequest,
        demand: Demand = NOTHING,
        by: Caller,
    ) -> Answer[Page[PastEvaluation]]:
        """Raises NotFound if the signal was never evaluated."""
        await self.access.permit(by, "signal:read", dataset)
        reader = await self.reads.open(demand, by=by)
        history = SignalHistory(reader.streams, signal_stream(dataset, signal_type))
        if not await history.exists():
            raise NotFound("signal", f"{dataset}/{signal_type}")
        return reader.answer(await history.page(since, until, page))


@frozen
class SignalHistory:
    """Pages of one signal's evaluations, read from its stream."""

    streams: StreamReads
    stream: StreamId

    async def exists(self) -> bool:
        return bool(await self.streams.version(self.stream))

    async def page(
        self, since: datetime | None, until: datetime | None, request: PageRequest
    ) -> Page[PastEvaluation]:
        start = int(request.after[0]) if request.after else await self._start(since)
        return await self._from(start, since, until, request.size)

    async def _from(
        self, start: int, since: datetime | None, until: datetime | None, size: int
    ) -> Page[PastEvaluation]:
        """Look at so many facts at most, a few at a time; a page may end before it is full."""
        items: list[PastEvaluation] = []
        last = start
        while last - start < _SCANNED_AT_MOST:
            facts = await self.streams.facts(self.stream, after=last, limit=_STEP)
            for recorded in facts:
                if len(items) == size:
                    return Page(items, (str(last),))
                items += _past(recorded, since, until)
                last = recorded.version
            if len(facts) < _STEP:
                return Page(items)
        return Page(items, (str(last),))

    async def _start(self, since: datetime | None) -> int:
        """The version after which windows within the span can begin.

        A window never ends long after it was recorded, so that facts recorded well before the
        span need not be read: halving finds the first that must.
        """
        if since is None or since.year <= 1970:
            return 0
        low, high = 0, await self.streams.version(self.stream)
        while low < high:
            middle = (low + high) // 2
            fact = (await self.streams.facts(self.stream, after=middle, limit=1))[0]
            low, high = (middle + 1, high) if fact.at < since - AHEAD else (low, middle)
        return low


def _past(
    recorded: Recorded, since: datetime | None, until: datetime | None
) -> Sequence[PastEvaluation]:
    fact = recorded.fact
    if not isinstance(fact, Evaluated) or not _within(fact.evaluation, since, until):
        return []
    return [
        PastEvaluation(fact.evaluation, recorded.at, fact.current, recorded.position, fact.version)
    ]


def _within(evaluation: Evaluation, since: datetime | None, until: datetime | None) -> bool:
    end = evaluation.window_end
    return (since is None or end >= since) and (until is None or end <= until)
