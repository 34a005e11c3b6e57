"""What was changed around the time the data began to fail: agreements, and who writes it."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from attrs import frozen

from application.boards import Boards
from application.caller import Caller
from application.ports.access import Access
from application.recorded import Recorded
from application.root_cause.breach import Breach
from application.root_cause.recent_facts import recorded_since
from domain import dataset_config as config
from domain.ids import (
    DatasetUrn,
    Place,
    ProducerId,
    SpecId,
    dataset_at,
    dataset_stream,
    lineage_stream,
)
from domain.lineage import Declared, Entries, Role


@frozen
class ConfigChange:
    dataset: DatasetUrn
    at: datetime
    by: str
    what: str
    """In words: "changed tier, owner_team"."""


@frozen
class Deploy:
    """A spec that a producer made: what it writes and reads may be other than before."""

    producer: ProducerId
    at: datetime
    commit: str
    spec_id: SpecId
    stopped_writing: tuple[Place, ...] = ()
    """Of the incident's datasets and their columns, what only the spec before it wrote."""


@frozen
class ReadConfigChanges:
    boards: Boards
    access: Access

    async def __call__(
        self, datasets: Sequence[DatasetUrn], breach: Breach, *, by: Caller
    ) -> Sequence[ConfigChange]:
        """The oldest first; nothing of a dataset that is not registered."""
        found: list[ConfigChange] = []
        for dataset in datasets:
            await self.access.permit(by, "dataset:read", dataset)
            facts = await recorded_since(self.boards.facts, dataset_stream(dataset), breach.since)
            found += [_change(dataset, one) for one in facts if one.at <= breach.until]
        return sorted(found, key=lambda change: (change.at, change.dataset))


def _change(dataset: DatasetUrn, recorded: Recorded) -> ConfigChange:
    return ConfigChange(dataset, recorded.at, recorded.by, _words(recorded.fact))


def _words(fact: object) -> str:
    match fact:
        case config.Registered():
            return "registered it"
        case config.Reconfigured():
            return f"changed {', '.join(fact.fields)}"
        case config.Retired():
            return "retired it"
        case config.Restored():
            return "restored it"
        case config.RuleAdded(rule):
            return f"added the resolution rule {rule.name}"
        case config.RuleChanged(rule):
            return f"changed the resolution rule {rule.name}"
        case config.RuleRemoved(name):
            return f"removed the resolution rule {name}"
        case _:
            return "changed something that this version of the program does not understand"


@frozen
class ReadDeploys:
    boards: Boards
    access: Access

    async def __call__(
        self,
        producers: Iterable[ProducerId],
        datasets: Sequence[DatasetUrn],
        breach: Breach,
        *,
        by: Caller,
    ) -> Sequence[Deploy]:
        """By when the specs were made, whenever they were declared; the oldest first."""
        found: list[Deploy] = []
        for producer in sorted(set(producers)):
            await self.access.permit(by, "lineage:read", producer)
            stream = lineage_stream(producer)
            facts = await recorded_since(self.boards.facts, stream, breach.since)
            found += [_deploy(one.fact, datasets) for one in facts if _within(one.fact, breach)]
        return sorted(found, key=lambda deploy: (deploy.at, deploy.spec_id))


def _within(fact: object, breach: Breach) -> bool:
    return isinstance(fact, Declared) and breach.since <= fact.spec.updated_at <= breach.until


def _deploy(fact: Declared, datasets: Sequence[DatasetUrn]) -> Deploy:
    spec, written = fact.spec, _written(fact.spec.entries)
    stopped = tuple(
        place
        for place in sorted(_written(fact.withdrawn) - written)
        if dataset_at(place) in datasets
    )
    return Deploy(spec.producer, spec.updated_at, spec.commit, spec.spec_id, stopped)


def _written(entries: Entries) -> set[Place]:
    return {tie.place for tie in entries.ties() if tie.role is Role.WRITER}
