"""Who was deployed around the time the data began to fail, by the lineage that it declared."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from attrs import frozen

from application.caller import Caller
from application.ports.access import Access
from application.reads.consistency import Reads
from application.reads.demand import Answer, Demand
from application.reads.reader import StreamReads
from application.recorded import Recorded
from application.root_cause.breach import Breach
from application.root_cause.deadline import together
from application.root_cause.recent_facts import recorded_since
from domain.ids import DatasetUrn, Place, ProducerId, SpecId, dataset_at
from domain.lineage.lineage import Declared, Entries, Role
from domain.stream_categories import producer_of
from domain.streams import StreamId
from domain.validation import AHEAD

_AT_ONCE = 25
"""So many producers are asked for at the same time: each costs two reads of the log."""


@frozen
class Deploy:
    """A spec that a producer made: what it writes and reads may be other than before."""

    producer: ProducerId
    at: datetime
    commit: str
    spec_id: SpecId
    stopped_writing: tuple[Place, ...] = ()
    """Of the incident's datasets and their columns, what only the spec before it wrote."""
    began_writing: tuple[Place, ...] = ()
    """What only this one wrote."""


@frozen
class Deploys:
    deploys: Sequence[Deploy]
    """By when the specs were made, whenever they were declared; the oldest first."""
    more: bool
    """Whether there may be earlier ones that were not looked at."""


@frozen
class ReadDeploys:
    reads: Reads
    access: Access

    async def __call__(
        self,
        streams: Sequence[StreamId],
        datasets: Sequence[DatasetUrn],
        breach: Breach,
        *,
        demand: Demand,
        by: Caller,
    ) -> Answer[Deploys]:
        """Of the lineage in these streams, where it had one of the datasets written at any time
        from an hour before the breach on, however shortly.
        """
        for dataset in datasets:
            await self.access.permit(by, "lineage:read", dataset)
        reader = await self.reads.open(demand, by=by)
        found: list[Deploys] = []
        for start in range(0, len(streams), _AT_ONCE):
            some = streams[start : start + _AT_ONCE]
            asked = [self._of_one(reader.streams, one, datasets, breach, by) for one in some]
            found += await together(asked)
        every = [deploy for one in found for deploy in one.deploys]
        every.sort(key=lambda deploy: (deploy.at, deploy.spec_id))
        return reader.answer(Deploys(every, any(one.more for one in found)))

    async def _of_one(
        self,
        streams: StreamReads,
        stream: StreamId,
        datasets: Sequence[DatasetUrn],
        breach: Breach,
        by: Caller,
    ) -> Deploys:
        producer = producer_of(stream)
        await self.access.permit(by, "lineage:read", producer)
        # Their clocks may be ahead of ours: what was made in that time may be recorded before it.
        recent = await recorded_since(streams, stream, breach.since - AHEAD)
        facts = list(_lately(recent.facts, breach))
        if not any(dataset_at(place) in datasets for place in _ever_written(facts)):
            return Deploys((), recent.more)
        deploys = [_deploy(one, datasets) for one in facts if _within(one, breach)]
        return Deploys(deploys, recent.more)


def _lately(facts: Sequence[Recorded], breach: Breach) -> Iterator[Declared]:
    """Recorded or made from an hour before the breach on."""
    for one in facts:
        fact = one.fact
        if isinstance(fact, Declared) and max(one.at, fact.spec.updated_at) >= breach.since:
            yield fact


def _ever_written(facts: Sequence[Declared]) -> Iterator[Place]:
    """What the specs write, and what those before them wrote."""
    for fact in facts:
        yield from _written(fact.spec.entries)
        yield from _written(fact.withdrawn)


def _within(fact: Declared, breach: Breach) -> bool:
    return breach.since <= fact.spec.updated_at <= breach.until


def _deploy(fact: Declared, datasets: Sequence[DatasetUrn]) -> Deploy:
    spec, before, after = fact.spec, _written(fact.withdrawn), _written(fact.spec.entries)
    stopped, began = _of(datasets, before - after), _of(datasets, after - before)
    return Deploy(spec.producer, spec.updated_at, spec.commit, spec.spec_id, stopped, began)


def _of(datasets: Sequence[DatasetUrn], places: Iterable[Place]) -> tuple[Place, ...]:
    return tuple(place for place in sorted(places) if dataset_at(place) in datasets)


def _written(entries: Entries) -> set[Place]:
    return {tie.place for tie in entries.ties() if tie.role is Role.WRITER}
