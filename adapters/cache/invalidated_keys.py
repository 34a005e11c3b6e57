"""
Which names facts change, told without folding them again: rather too many than too few.

    fact of     changes
    a signal    its own name
    a dataset   its configuration, all its signals (tier and owner are shown with them), and, if
                the fact concerns rules, those of every pattern that its rules ever had

Signals are found in their table, where all are that anybody can have copied.
"""

from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from attrs import frozen

from adapters.cache.keys import name_of
from adapters.generations.generation_tables import Chosen
from adapters.read_models.listing import whole_partitions
from adapters.row_layouts import dataset_rows, rule_rows, signal_rows
from adapters.row_layouts.catalogue import SIGNAL_STATE
from adapters.row_layouts.engine import RowKey, RowReads
from adapters.row_layouts.hot_datasets import HotDatasets
from adapters.row_layouts.projection_state_rows import rules_from_row, rules_key
from application.datasets.read_model import DatasetKey
from application.datasets.resolution_read_model import RuleBookKey, TopicRuleKey
from application.errors import NotReadable
from application.ports.streams import Streams
from application.projections.resolution_rules import RuleCards
from application.recorded import Recorded, Unreadable
from application.signals.read_model import SignalKey
from domain.dataset.config import Reconfigured, RuleAdded, RuleChanged
from domain.ids import DatasetUrn
from domain.stream_categories import DATASET, SIGNAL, dataset_of, signal_of
from domain.streams import StreamId

_RULES = RuleCards()


@frozen
class ChangedNames:
    streams: Streams
    tables: RowReads
    """Reads strongly."""
    chosen: Chosen
    hot: HotDatasets

    async def of(self, facts: Sequence[Recorded]) -> Mapping[str, int]:
        """Each name, and the position of the last fact that may have changed what is under it.

        Raises:
            NotReadable: One of them is of a dataset, and this program does not understand it.
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
        if SIGNAL.has(stream):
            signal = SignalKey(dataset_of(stream), signal_of(stream))
            yield signal_rows.row_key(signal, self.hot)
        elif DATASET.has(stream):
            dataset = dataset_of(stream)
            for key in _configurations(dataset, facts):
                yield dataset_rows.row_key(key)
            lie_in = self.hot.partitions(dataset)
            for row in await whole_partitions(self.tables, SIGNAL_STATE.name, lie_in):
                yield RowKey(SIGNAL_STATE.name, row["PK"], row["SK"])
            if any(_RULES.concerns(one.fact, one.version) for one in facts):
                for rule in await self._rules(stream, facts[-1].version):
                    for key_of_rule in rule_rows.row_keys(rule):
                        yield key_of_rule

    async def _rules(self, stream: StreamId, version: int) -> Iterable[TopicRuleKey]:
        dataset = dataset_of(stream)
        try:
            return _written(dataset, await self.streams.facts(stream))
        except NotReadable:
            known = _written(dataset, await self._understood(stream, version))
            return {*known, *await self._in_the_book(dataset)}

    async def _understood(self, stream: StreamId, version: int) -> Sequence[Recorded]:
        """One by one, as nobody says which of them is not: long, and rare."""
        found: list[Recorded] = []
        for before in range(version):
            with suppress(NotReadable):
                found += await self.streams.facts(stream, after=before, limit=1)
        return found

    async def _in_the_book(self, dataset: DatasetUrn) -> Sequence[TopicRuleKey]:
        """As somebody wrote it who may have understood more."""
        rows = await self.tables.get([rules_key(RuleBookKey(dataset))])
        cards = [card for row in rows for card in rules_from_row(row).rules.values()]
        return [TopicRuleKey(card.rule.topic_pattern, card.rule.name, dataset) for card in cards]


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
            raise NotReadable(recorded.fact.name, recorded.fact.reason)
        if isinstance(recorded.fact, Reconfigured):
            yield DatasetKey(dataset, recorded.fact.config_version - 1)


def _written(dataset: DatasetUrn, history: Sequence[Recorded]) -> Iterator[TopicRuleKey]:
    for recorded in history:
        match recorded.fact:
            case RuleAdded(rule) | RuleChanged(rule):
                yield TopicRuleKey(rule.topic_pattern, rule.name, dataset)
