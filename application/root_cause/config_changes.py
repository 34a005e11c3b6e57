"""What was agreed otherwise about the data around the time it began to fail."""

from collections.abc import Sequence
from datetime import datetime

from attrs import frozen

from application.caller import Caller
from application.ports.access import Access
from application.reads.consistency import Reads
from application.reads.demand import Answer, Demand
from application.recorded import Recorded
from application.root_cause.breach import Breach
from application.root_cause.recent_facts import recorded_since
from domain.dataset import config
from domain.ids import DatasetUrn
from domain.stream_categories import dataset_stream


@frozen
class ConfigChange:
    dataset: DatasetUrn
    at: datetime
    by: str
    what: str
    """In words: "changed tier, owner_team"."""


@frozen
class ConfigChanges:
    changes: Sequence[ConfigChange]
    """The oldest first; nothing of a dataset that is not registered."""
    more: bool
    """Whether there may be earlier ones that were not looked at."""


@frozen
class ReadConfigChanges:
    reads: Reads
    access: Access

    async def __call__(
        self, datasets: Sequence[DatasetUrn], breach: Breach, *, demand: Demand, by: Caller
    ) -> Answer[ConfigChanges]:
        for dataset in datasets:
            await self.access.permit(by, "dataset:read", dataset)
        reader = await self.reads.open(demand, by=by)
        found: list[ConfigChange] = []
        more = False
        for dataset in datasets:
            recent = await recorded_since(reader.streams, dataset_stream(dataset), breach.since)
            found += [_change(dataset, one) for one in recent.facts if one.at <= breach.until]
            more = more or recent.more
        changes = sorted(found, key=lambda one: (one.at, one.dataset))
        return reader.answer(ConfigChanges(changes, more))


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
