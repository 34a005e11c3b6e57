"""One look at one incident: how each part of its context is asked for."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from functools import partial

from attrs import define, field

from application.caller import Caller
from application.errors import ApplicationError
from application.evidence import ReadEvidence
from application.incidents.read_model import IncidentView
from application.ports.access import Access
from application.reads.consistency import Reads
from application.reads.demand import Answer, Demand
from application.root_cause.breach import Breach, FindBreach, signals_of
from application.root_cause.config_changes import ConfigChanges, ReadConfigChanges
from application.root_cause.deadline import Wanted
from application.root_cause.deploys import Deploys, ReadDeploys
from application.root_cause.downstream import Downstream, Radii, Reach, WalkDownstream
from application.root_cause.evidence_sample import EvidenceSample, ReadSample
from application.root_cause.opened_incident import OpenedIncident
from application.root_cause.part import EVIDENCE, LOG, READ_MODEL, Part
from application.root_cause.related_incidents import ReadRelated, Related, datasets_of
from application.root_cause.signal_histories import ReadCourses, SignalCourse
from application.root_cause.writers_and_readers import MOST_COUNTED, MOST_ENTITIES, ReadTies, Tied
from application.signals.queries import ReadSignals
from domain.ids import DatasetUrn, Place
from domain.incident.values import Concern
from domain.lineage.lineage import Role


@define(eq=False)
class Inquiry:
    """Made anew for each answer.

    Two parts are what others rest on: `known` is the breach, once it is found or cannot be, and
    `walked` what lies downstream, or why that is not known. Evidence is `at_hand` before the
    archive was asked for the rest.
    """

    reads: Reads
    access: Access
    read_evidence: ReadEvidence
    opened: OpenedIncident
    demand: Demand
    by: Caller
    known: "asyncio.Future[Breach]" = field(init=False)
    walked: "asyncio.Future[Part[Downstream]]" = field(init=False)
    at_hand: Part[EvidenceSample] | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self.known = asyncio.get_running_loop().create_future()
        self.walked = asyncio.get_running_loop().create_future()

    def wanted(self) -> Mapping[str, Wanted]:
        return {
            "breach": Wanted(LOG, self._breach),
            "evidence": Wanted(EVIDENCE, self._evidence, lambda: self.at_hand),
            "writers": Wanted(READ_MODEL, partial(self._ties, Role.WRITER, MOST_COUNTED)),
            "readers": Wanted(READ_MODEL, partial(self._ties, Role.READER, MOST_ENTITIES)),
            "blast_radius_at_opening": Wanted(LOG, self._radius_then),
            "blast_radius_current": Wanted(READ_MODEL, self._radius_now),
            "signals": Wanted(LOG, self._signals),
            "config_changes": Wanted(LOG, self._config_changes),
            "deploys": Wanted(LOG, self._deploys),
            "related": Wanted(READ_MODEL, self._related),
        }

    @property
    def card(self) -> IncidentView:
        return self.opened.card

    @property
    def datasets(self) -> Sequence[DatasetUrn]:
        return datasets_of(self.card)

    @property
    def only_opened(self) -> Breach:
        """All that is known of the breach while its signals are not."""
        return Breach(self.opened.at, self.opened.at, {})

    async def _breach(self) -> Part[Breach]:
        find = FindBreach(ReadSignals(self.reads, self.access))
        breach = self.only_opened
        try:
            card, opened = self.card, self.opened.at
            part = await find(card.concerns, opened, card.resolved_at, self.demand, by=self.by)
            breach = part.otherwise(breach)
            return part
        finally:
            self.known.set_result(breach)

    async def _evidence(self) -> Part[EvidenceSample]:
        read = ReadSample(self.read_evidence, self.card.evidence, self.demand.as_of)
        return await read(by=self.by, at_hand=self._found_at_hand)

    def _found_at_hand(self, sample: EvidenceSample) -> None:
        if sample.found:
            self.at_hand = Part(sample, EVIDENCE, 0.0, late=True)

    async def _ties(self, role: Role, most: int) -> Part[Sequence[Tied]]:
        return Part.of(await self._tied(role, most), READ_MODEL)

    async def _tied(self, role: Role, most: int) -> Answer[Sequence[Tied]]:
        read = ReadTies(self.reads, self.access, role, most)
        return await read(self.datasets, demand=self.demand, by=self.by)

    async def _radius_now(self) -> Part[Radii]:
        walk = WalkDownstream(self.reads, self.access)
        found: Part[Downstream] = Part.too_late(READ_MODEL)
        try:
            answer = await walk(self._concerns(), demand=self.demand, by=self.by)
            found = Part.of(answer, READ_MODEL)
        except ApplicationError as error:
            found = Part.without(READ_MODEL, error)
        finally:
            self.walked.set_result(found)
        return found.map(lambda downstream: downstream.radii)

    async def _radius_then(self) -> Part[Radii]:
        """As it was measured; what was not is measured by the log as it was."""
        measured = self.card.blast_radius
        known = {} if measured is None else {self.card.dataset: Reach.as_measured(measured)}
        rest = [one for one in self._concerns() if one.dataset not in known]
        if not rest:
            return Part(known, LOG, 0.0)
        walk = WalkDownstream(self.reads, self.access)
        answer = await walk(rest, demand=Demand(as_of=self.opened.at), by=self.by)
        return Part({**known, **answer.value.radii}, LOG, answer.age_seconds)

    async def _signals(self) -> Part[Sequence[SignalCourse]]:
        breach, signals = await self._known(), signals_of(self.card.concerns)
        read = ReadCourses(self.reads, self.access)
        until = self.card.resolved_at
        answer = await read(signals, breach, until, demand=self.demand, by=self.by)
        return Part.of(answer, LOG)

    async def _config_changes(self) -> Part[ConfigChanges]:
        breach = await self._known()
        read = ReadConfigChanges(self.reads, self.access)
        answer = await read(self.datasets, breach, demand=self.demand, by=self.by)
        return Part.of(answer, LOG)

    async def _deploys(self) -> Part[Deploys]:
        """Of all whose lineage ever named the datasets as written, be it for a moment."""
        breach = await self._known()
        directory = await self.reads.directory(self.demand, self.opened.at, by=self.by)
        streams = await directory.written_at([Place(one) for one in self.datasets])
        read = ReadDeploys(self.reads, self.access)
        answer = await read(streams, self.datasets, breach, demand=self.demand, by=self.by)
        return Part.of(answer, LOG)

    async def _related(self) -> Part[Related]:
        tied = (await self._tied(Role.WRITER, MOST_COUNTED)).value
        read = ReadRelated(self.reads, self.access)
        answer = await read(self.card, tied, self._near, demand=self.demand, by=self.by)
        return Part.of(answer, READ_MODEL)

    async def _near(self) -> Collection[DatasetUrn]:
        part = await asyncio.shield(self.walked)
        if part.missing is not None:
            raise part.missing
        return part.told.near if part.told else ()

    async def _known(self) -> Breach:
        # Whoever is cancelled while waiting leaves it to the others.
        return await asyncio.shield(self.known)

    def _concerns(self) -> Sequence[Concern]:
        """What it is about, each dataset once."""
        joined: dict[DatasetUrn, Concern] = {}
        for one in self.card.concerns:
            known = joined.get(one.dataset)
            joined[one.dataset] = known.joined(one) if known else one
        return list(joined.values())
