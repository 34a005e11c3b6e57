"""Which cards lie in which rows: one entry for each kind of key and of group."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from attrs import frozen

from adapters.eventstore.sealing import Seals
from adapters.tables import (
    dataset_rows,
    dead_letter_rows,
    directory_rows,
    incident_rows,
    lineage_rows,
    rule_rows,
    set_aside_rows,
    signal_rows,
    state_rows,
)
from adapters.tables.catalogue import PROJECTION_STATE, SIGNAL_STATE
from adapters.tables.engine import Row, RowKey
from adapters.tables.hot_datasets import HotDatasets
from application.ports.cards import Card, Group, Key
from application.ports.dead_letters import DeadLetterKey
from application.ports.directory import CheckpointKey, ListedKey
from application.ports.incident_board import IncidentKey, OpenFaultsKey
from application.ports.lineage_graph import TieKey, WriterKey, WrittenKey
from application.ports.registry import DatasetKey
from application.ports.resolution_map import RuleBookKey, TopicRuleKey
from application.ports.set_aside import SetAsideBy, SetAsideKey
from application.ports.signal_board import SignalKey, SignalsOf
from application.projections.signal_board import FacetsKey


def always(key: Key) -> bool:
    return True


def never(key: Key) -> bool:
    return False


@frozen
class Layout:
    """How one kind of card lies in rows. A card may lie in several: the first is read.

    Other cards are folded from those that are remembered, so these must never be ahead of them.
    """

    row_keys: Callable[[Any], Sequence[RowKey]]
    key_of: Callable[[Row], Key]
    to_rows: Callable[[Any, int], Sequence[Row]]
    from_row: Callable[[Row], Card]
    remembered: Callable[[Any], bool] = never
    copied: bool = False
    """Whether it was copied from another card, when that changed."""

    @classmethod
    def single(
        cls,
        row_key: Callable[[Any], RowKey],
        key_of: Callable[[Row], Key],
        to_row: Callable[[Any, int], Row],
        from_row: Callable[[Row], Card],
        remembered: Callable[[Any], bool] = never,
        copied: bool = False,
    ) -> "Layout":
        return cls(
            lambda key: [row_key(key)],
            key_of,
            lambda card, position: [to_row(card, position)],
            from_row,
            remembered,
            copied,
        )


@frozen
class Partitions:
    """Where all cards of a group lie."""

    table: str
    pks: Sequence[str]
    kind: type


def layouts(seals: Seals, hot: HotDatasets) -> Mapping[type, Layout]:
    return {
        SignalKey: Layout.single(
            partial(signal_rows.row_key, hot=hot),
            signal_rows.key_of,
            partial(signal_rows.to_row, hot=hot),
            signal_rows.from_row,
        ),
        IncidentKey: Layout.single(
            incident_rows.row_key,
            incident_rows.key_of,
            partial(incident_rows.to_row, seals=seals),
            partial(incident_rows.from_row, seals=seals),
        ),
        OpenFaultsKey: Layout.single(
            state_rows.faults_key,
            state_rows.faults_key_of,
            state_rows.faults_to_row,
            state_rows.faults_from_row,
            remembered=always,
        ),
        DatasetKey: Layout.single(
            dataset_rows.row_key,
            dataset_rows.key_of,
            partial(dataset_rows.to_row, seals=seals),
            partial(dataset_rows.from_row, seals=seals),
            # The present version is what an archived one is made from.
            remembered=lambda key: key.version is None,
        ),
        TopicRuleKey: Layout(
            rule_rows.row_keys, rule_rows.key_of, rule_rows.to_rows, rule_rows.from_row
        ),
        FacetsKey: Layout.single(
            state_rows.facets_key,
            state_rows.facets_key_of,
            state_rows.facets_to_row,
            state_rows.facets_from_row,
            remembered=always,
        ),
        RuleBookKey: Layout.single(
            state_rows.rules_key,
            state_rows.rules_key_of,
            state_rows.rules_to_row,
            state_rows.rules_from_row,
            remembered=always,
        ),
        TieKey: Layout.single(
            lineage_rows.tie_key,
            lineage_rows.tie_key_of,
            lineage_rows.tie_to_row,
            lineage_rows.tie_from_row,
        ),
        WrittenKey: Layout.single(
            lineage_rows.written_key,
            lineage_rows.written_key_of,
            lineage_rows.written_to_row,
            lineage_rows.written_from_row,
        ),
        WriterKey: Layout.single(
            lineage_rows.writer_key,
            lineage_rows.writer_key_of,
            lineage_rows.writer_to_row,
            lineage_rows.writer_from_row,
        ),
        SetAsideKey: Layout.single(
            set_aside_rows.row_key,
            set_aside_rows.key_of,
            set_aside_rows.to_row,
            set_aside_rows.from_row,
        ),
        ListedKey: Layout.single(
            directory_rows.listed_key,
            directory_rows.listed_key_of,
            directory_rows.listed_to_row,
            directory_rows.listed_from_row,
        ),
        CheckpointKey: Layout.single(
            directory_rows.checkpoint_key,
            directory_rows.checkpoint_key_of,
            directory_rows.checkpoint_to_row,
            directory_rows.checkpoint_from_row,
            copied=True,
        ),
        DeadLetterKey: Layout.single(
            dead_letter_rows.row_key,
            dead_letter_rows.key_of,
            dead_letter_rows.to_row,
            dead_letter_rows.from_row,
        ),
    }


def partitions(group: Group, hot: HotDatasets) -> Partitions:
    match group:
        case SignalsOf(dataset):
            return Partitions(SIGNAL_STATE.name, hot.partitions(dataset), SignalKey)
        case SetAsideBy(projection):
            where = set_aside_rows.partition_key(projection)
            return Partitions(PROJECTION_STATE.name, [where], SetAsideKey)
        case _:
            raise TypeError(f"no table holds {group!r}")
