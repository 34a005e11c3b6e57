"""How the incident's signals came to fail: their evaluations around the breach."""

from collections.abc import Sequence
from datetime import datetime

from attrs import frozen

from application.caller import Caller
from application.ports.access import Access
from application.reads.consistency import Reads
from application.reads.demand import Answer, Demand
from application.reads.paging import PageRequest
from application.reads.reader import StreamReads
from application.root_cause.breach import Breach
from application.signals.history import PastEvaluation, SignalHistory
from application.signals.read_model import SignalKey
from domain.stream_categories import signal_stream

MOST_EVALUATIONS = 100
"""Of one signal, from an hour before the breach on."""


@frozen
class SignalCourse:
    """The evaluations of a signal, in the order they were accepted."""

    signal: SignalKey
    breach_start: datetime | None
    evaluations: Sequence[PastEvaluation]
    more: bool
    """Whether there were more; these are the first."""


@frozen
class ReadCourses:
    reads: Reads
    access: Access

    async def __call__(
        self,
        signals: Sequence[SignalKey],
        breach: Breach,
        until: datetime | None,
        *,
        demand: Demand,
        by: Caller,
    ) -> Answer[Sequence[SignalCourse]]:
        """Of the signals that were ever evaluated."""
        for signal in signals:
            await self.access.permit(by, "signal:read", signal.dataset)
        reader = await self.reads.open(demand, by=by)
        found = [await _course(reader.streams, signal, breach, until) for signal in signals]
        return reader.answer([course for course in found if course is not None])


async def _course(
    streams: StreamReads, signal: SignalKey, breach: Breach, until: datetime | None
) -> SignalCourse | None:
    history = SignalHistory(streams, signal_stream(signal.dataset, signal.signal_type))
    if not await history.exists():
        return None
    page = await history.page(breach.since, until, PageRequest(MOST_EVALUATIONS))
    start = breach.signals.get(signal)
    return SignalCourse(signal, start, page.items, page.next is not None)
