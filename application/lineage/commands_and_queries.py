"""Declaring lineage, and looking up who writes and reads what."""

from datetime import timedelta

from attrs import frozen

from application.caller import Caller
from application.lineage.read_model import LineageEntry
from application.ports.access import Access
from application.ports.clock import Clock
from application.ports.streams import Streams
from application.projections.lineage import LINEAGE_INDEX
from application.reads.consistency import Reads
from application.reads.demand import NOTHING, Answer, Demand
from application.reads.paging import Page, PageRequest
from domain.ids import Place
from domain.lineage.lineage import LineageSpecOutcome, Spec
from domain.lineage.report import LineageReport
from domain.retention import KEPT_FOR
from domain.stream_categories import lineage_stream
from domain.streams import Decision, States


@frozen
class LineageDeclared:
    """What became of a spec, and the one that holds now."""

    spec: Spec
    outcome: LineageSpecOutcome
    in_force: Spec
    position: int
    replayed: bool
    """Whether this answers a request that had been answered before."""


@frozen
class DeclareLineage:
    """Let a spec take the place of the producer's older one.

    A spec that is there already, or older than what is there, changes nothing. The answer to a
    repeated request calls a spec applied that was in force after the first one.
    """

    streams: Streams
    access: Access
    clock: Clock
    kept: timedelta = KEPT_FOR.lineage
    """How long a spec holds that does not say so itself."""

    async def __call__(self, report: LineageReport, *, by: Caller) -> LineageDeclared:
        """Raises Invalid with everything that is wrong with the report."""
        await self.access.permit(by, "lineage:declare", report.spec_id)
        kept = int(self.kept.total_seconds())
        return await self._declare(report.parse(at=self.clock.now(), otherwise=kept), by)

    async def _declare(self, spec: Spec, by: Caller) -> LineageDeclared:
        stream = lineage_stream(spec.producer)
        outcome: LineageSpecOutcome | None = None

        def decide(states: States) -> Decision:
            nonlocal outcome
            outcome = states[stream].outcome(spec)
            return {stream: states[stream].declare(spec)}

        committed = await self.streams.transact([stream], decide, by=by)
        in_force = committed.states[stream].spec
        assert in_force is not None
        if outcome is None:
            outcome = (
                LineageSpecOutcome.APPLIED if in_force == spec else LineageSpecOutcome.SUPERSEDED
            )
        return LineageDeclared(spec, outcome, in_force, committed.position, committed.replayed)


@frozen
class ReadWriters:
    """Who writes a dataset or a column; nobody, where nobody said so."""

    reads: Reads
    access: Access

    async def __call__(
        self, place: Place, page: PageRequest, *, demand: Demand = NOTHING, by: Caller
    ) -> Answer[Page[LineageEntry]]:
        await self.access.permit(by, "lineage:read", place)
        reader = await self.reads.open(demand, by=by, projections=[LINEAGE_INDEX])
        return reader.answer(await reader.lineage.writers(place, page))


@frozen
class ReadReaders:
    """Who reads a dataset or a column; nobody, where nobody said so."""

    reads: Reads
    access: Access

    async def __call__(
        self, place: Place, page: PageRequest, *, demand: Demand = NOTHING, by: Caller
    ) -> Answer[Page[LineageEntry]]:
        await self.access.permit(by, "lineage:read", place)
        reader = await self.reads.open(demand, by=by, projections=[LINEAGE_INDEX])
        return reader.answer(await reader.lineage.readers(place, page))
