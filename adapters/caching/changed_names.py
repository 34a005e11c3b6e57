"""
Which names facts change, told without folding them again: rather too many than too few.

    fact of     changes
    a signal    its own name
    a dataset   its configuration, all its signals (tier and owner are shown with them), and the
                rules of every pattern that its rules ever had

Signals are found in their table, where all are that anybody can have copied.
"""

from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence

from attrs import frozen

from adapters.caching.names import name_of
from adapters.tables import dataset_rows, rule_rows, signal_rows
from adapters.tables.catalogue import SIGNAL_STATE
from adapters.tables.engine import RowKey, TableEngine
from adapters.tables.generations import Chosen
from adapters.tables.hot_datasets import HotDatasets
from adapters.tables.listing import whole_partitions
from application.errors import NotReadable
from application.ports.registry import DatasetKey
from application.ports.resolution_map import TopicRuleKey
from application.ports.signal_board import SignalKey
from application.ports.streams import Streams
from application.recorded import Recorded, Unreadable
from domain.dataset_config import Reconfigured, RuleAdded, RuleChanged
from domain.ids import DatasetUrn, StreamId, dataset_of, signal_of


@frozen
class ChangedNames:
    streams: Streams
    tables: TableEngine
    """Reads strongly."""
    chosen: Chosen
    hot: HotDatasets

    async def of(self, facts: Sequence[Recorded]) -> Mapping[str, int]:
        """Each name, and the position of the last fact that may have changed what is under it.

        Raises:
            NotReadable: There is a fact of a dataset that this program does not understand.
            Unavailable: What must be looked up cannot be read now.
        """
        numbers, names = await self.chosen.numbers(), dict[str, int]()
        for stream, of_stream in _by_stream(facts).items():
            position = of_stream[-1].position
            async for key in self._keys(stream, of_stream):
                name = name_of(key, numbers)
                if name is not None:
                    names[name.text] = max(position, names.get(name.text, 0))
        return names

    async def _keys(self, stream: StreamId, facts: Sequence[Recorded]) -> AsyncIterator[RowKey]:
        if stream.startswith("signal-"):
            signal = SignalKey(dataset_of(stream), signal_of(stream))
            yield signal_rows.row_key(signal, self.hot)
        elif stream.startswith("dataset-"):
            dataset = dataset_of(stream)
            for key in _configurations(dataset, facts):
                yield dataset_rows.row_key(key)
            lie_in = self.hot.partitions(dataset)
            for row in await whole_partitions(self.tables, SIGNAL_STATE.name, lie_in):
                yield RowKey(SIGNAL_STATE.name, row["PK"], row["SK"])
            for rule in _rules(dataset, await self.streams.facts(stream)):
                for key_of_rule in rule_rows.row_keys(rule):
                    yield key_of_rule


def _by_stream(facts: Sequence[Recorded]) -> Mapping[StreamId, Sequence[Recorded]]:
    found: dict[StreamId, list[Recorded]] = defaultdict(list)
    for recorded in facts:
        found[recorded.stream].append(recorded)
    return found


def _configurations(dataset: DatasetUrn, facts: Sequence[Recorded]) -> Iterator[DatasetKey]:
    """The present one, and those that became old ones by the facts."""
    yield DatasetKey(dataset)
    for recorded in facts:
        if isinstance(recorded.fact, Unreadable):
            raise NotReadable(recorded.fact.name, recorded.fact.because)
        if isinstance(recorded.fact, Reconfigured):
            yield DatasetKey(dataset, recorded.fact.config_version - 1)


def _rules(dataset: DatasetUrn, history: Sequence[Recorded]) -> Iterator[TopicRuleKey]:
    for recorded in history:
        match recorded.fact:
            case RuleAdded(rule) | RuleChanged(rule):
                yield TopicRuleKey(rule.topic_pattern, rule.name, dataset)
