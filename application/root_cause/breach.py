"""When the data began to fail, as the incident's signals showed it when it was opened."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from attrs import frozen

from application.caller import Caller
from application.reads.demand import Answer, Demand
from application.root_cause.part import LOG, READ_MODEL, Part
from application.signals.queries import ReadSignals
from application.signals.read_model import SignalKey, SignalView
from domain.incident.values import Concern

BEFORE = timedelta(hours=1)
"""How long before the breach something may have caused it."""


@frozen
class Breach:
    start: datetime
    """Where the first window in breach began; when the incident was opened if none is known."""
    opened: datetime
    signals: Mapping[SignalKey, datetime]
    """Where the breach of each signal began, of those that were in breach."""

    @property
    def since(self) -> datetime:
        return self.start - BEFORE

    @property
    def until(self) -> datetime:
        """Until it was noticed, but not for long: windows have a length, and people sleep.

        Where somebody noticed before the signals did, that may be before the breach.
        """
        return min(self.opened, self.start + BEFORE)


@frozen
class FindBreach:
    read_signals: ReadSignals

    async def __call__(
        self,
        concerns: Sequence[Concern],
        opened: datetime,
        resolved: datetime | None,
        demand: Demand,
        *,
        by: Caller,
    ) -> Part[Breach]:
        """The signals as they were then; of those that were not in breach yet, as they are.

        Or as they were when it was resolved: what fails after that is another incident's.
        """
        keys = signals_of(concerns)
        then = await self._starts(keys, Demand(as_of=opened), by)
        rest = [key for key in keys if key not in then.value]
        now = await self._starts(rest, demand, by) if rest else then
        starts = {**then.value, **_until(resolved, now.value)}
        if resolved is not None and (rest := [key for key in rest if key not in starts]):
            at_last = await self._starts(rest, Demand(as_of=resolved), by)
            starts |= _until(resolved, at_last.value)
        start = min(starts.values(), default=opened)
        return Part(
            Breach(start, opened, starts), LOG if now is then else READ_MODEL, now.age_seconds
        )

    async def _starts(
        self, keys: Sequence[SignalKey], demand: Demand, by: Caller
    ) -> Answer[Mapping[SignalKey, datetime]]:
        answer = await self.read_signals(keys, demand=demand, by=by)
        found = {
            key: start
            for key, card in zip(keys, answer.value, strict=True)
            for start in _start(card)
        }
        return Answer(found, answer.position, answer.age_seconds)


def _until(
    resolved: datetime | None, starts: Mapping[SignalKey, datetime]
) -> Mapping[SignalKey, datetime]:
    """Windows may lie ahead of the clock."""
    if resolved is None:
        return starts
    return {key: start for key, start in starts.items() if start <= resolved}


def _start(card: SignalView | None) -> Sequence[datetime]:
    return [card.breach_start] if card is not None and card.breach_start is not None else []


def signals_of(concerns: Sequence[Concern]) -> Sequence[SignalKey]:
    """The signals that an incident is about, each once."""
    keys = (SignalKey(one.dataset, signal) for one in concerns for signal in one.signals)
    return list(dict.fromkeys(keys))
