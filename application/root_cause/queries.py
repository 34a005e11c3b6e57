"""
All there is about an incident in one answer, within half a second (S0-250).

The incident itself is folded from its facts (S0-251) and must be there. Everything else is read at
the same time, as far as it comes in time: what is late or fails is left out and named, and the rest
is right. What rests on the breach waits for it, and takes the opening where no breach can be found.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

from attrs import frozen

from application.caller import Caller
from application.evidence import ReadEvidence
from application.incidents.read_model import IncidentView
from application.ports.access import Access
from application.reads.consistency import Reads
from application.reads.demand import NOTHING, Demand
from application.root_cause.breach import Breach
from application.root_cause.clues import (
    deployed,
    failing_producers,
    named_producers,
    writers_named,
)
from application.root_cause.context import RESTED_ON, Cause, Context, Parts
from application.root_cause.context_parts import Inquiry
from application.root_cause.deadline import gathered, in_time, stopped
from application.root_cause.evidence_sample import EvidenceSample
from application.root_cause.opened_incident import ReadOpened
from domain.ids import IncidentId
from domain.retention import KEPT_FOR
from domain.root_cause.suspects import Clues, suspicion


async def seconds(count: float) -> None:
    await asyncio.sleep(count)


@frozen
class ReadContext:
    reads: Reads
    access: Access
    read_evidence: ReadEvidence
    timeout_seconds: float
    kept: timedelta = KEPT_FOR.incidents
    passing: Callable[[float], Awaitable[None]] = seconds
    """Ends when so many seconds have passed."""

    async def __call__(
        self, incident: IncidentId, demand: Demand = NOTHING, *, by: Caller
    ) -> Context:
        """Raises, besides what reading the incident alone does:

        NotFound: There is no such incident.
        Unavailable: It could not be read in time.
        """
        time_up = asyncio.ensure_future(self.passing(self.timeout_seconds))
        try:
            return await self._within(time_up, incident, demand, by)
        finally:
            await stopped(time_up)

    async def _within(
        self, time_up: "asyncio.Future[None]", incident: IncidentId, demand: Demand, by: Caller
    ) -> Context:
        read = ReadOpened(self.reads, self.access, self.kept)
        answer = await in_time(read(incident, demand=demand, by=by), time_up)
        opened = answer.value
        inquiry = Inquiry(self.reads, self.access, self.read_evidence, opened, demand, by)
        parts = Parts(**await gathered(inquiry.wanted(), time_up))
        breach = parts.breach.otherwise(inquiry.only_opened)
        return Context(
            opened.card,
            opened.at,
            breach,
            parts,
            judged(opened.card, breach, parts),
            answer.position,
            demand.as_of,
        )


def judged(card: IncidentView, breach: Breach, parts: Parts) -> Cause:
    """Who it was, by the parts that there are."""
    writers = parts.writers.otherwise(())
    deploys = parts.deploys.map(lambda one: one.deploys).otherwise(())
    clues = Clues(
        breach=breach.start,
        failing=failing_producers(parts.evidence.otherwise(EvidenceSample((), ()))),
        named=list(named_producers(parts.signals.otherwise(()))),
        deploys=list(deployed(card, deploys, breach)),
        implicated=card.implicated.producer if card.implicated else None,
        writers=list(writers_named(writers)),
        uncounted=[tied.dataset for tied in writers if tied.uncounted],
    )
    without = [name for name, part in parts.each() if name in RESTED_ON and not part.is_there]
    return Cause(suspicion(clues), without)
