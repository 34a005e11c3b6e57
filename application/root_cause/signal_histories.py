"""How the incident's signals came to fail: their evaluations around the breach."""

from collections.abc import Sequence
from datetime import datetime

from attrs import frozen

from application.caller import Caller
from application.ports.access import Access
from application.reads.paging import PageRequest
from application.reads.reader import Boards
from application.root_cause.breach import Breach
from application.signals.history import PastEvaluation, ReadHistory
from application.signals.read_model import SignalKey
from domain.errors import NotFound

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
    boards: Boards
    access: Access

    async def __call__(
        self, signals: Sequence[SignalKey], breach: Breach, until: datetime | None, *, by: Caller
    ) -> Sequence[SignalCourse]:
        """Of the signals that were ever evaluated."""
        found = [await self._course(signal, breach, until, by) for signal in signals]
        return [course for course in found if course is not None]

    async def _course(
        self, signal: SignalKey, breach: Breach, until: datetime | None, by: Caller
    ) -> SignalCourse | None:
        read = ReadHistory(self.boards, self.access)
        start = breach.signals.get(signal)
        try:
            page = await read(
                signal.dataset,
                signal.signal_type,
                since=breach.since,
                until=until,
                page=PageRequest(MOST_EVALUATIONS),
                by=by,
            )
        except NotFound:
            return None
        return SignalCourse(signal, start, page.items, page.next is not None)
