"""Which cards lie in which rows: one entry for each kind of key and of group."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from attrs import frozen

from adapters.eventstore.sealing.seals import Seals
from adapters.row_layouts import (
    dataset_rows,
    dead_letter_rows,
    incident_rows,
    lineage_rows,
    projection_state_rows,
    quarantine_rows,
    rule_rows,
    signal_rows,
    stream_directory_rows,
)
from adapters.row_layouts.catalogue import PROJECTION_STATE, SIGNAL_STATE
from adapters.row_layouts.engine import Row, RowKey
from adapters.row_layouts.hot_datasets import HotDatasets
from application.datasets.read_model import DatasetKey
from application.datasets.resolution_read_model import RuleBookKey, TopicRuleKey
from application.delivery.dead_letter_read_model import DeadLetterKey
from application.incidents.read_model import IncidentKey, OpenFaultsKey
from application.lineage.read_model import TieKey, WriterKey, WrittenKey
from application.maintenance.stream_directory import CheckpointKey, ListedKey
from application.projections.quarantined_facts import SetAsideBy, SetAsideKey
from application.projections.signals import FacetsKey
from application.projections.view_store import Card, Group, Key
from application.signals.read_model import SignalKey, SignalsOf


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
            projection_state_rows.faults_key,
            projection_state_rows.faults_key_of,
            projection_state_rows.faults_to_row,
            projection_state_rows.faults_from_row,
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
            projection_state_rows.facets_key,
            projection_state_rows.facets_key_of,
            projection_state_rows.facets_to_row,
            projection_state_rows.facets_from_row,
            remembered=always,
        ),
        RuleBookKey: Layout.single(
            projection_state_rows.rules_key,
            projection_state_rows.rules_key_of,
            projection_state_rows.rules_to_row,
            projection_state_rows.rules_from_row,
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
            quarantine_rows.row_key,
            quarantine_rows.key_of,
            quarantine_rows.to_row,
            quarantine_rows.from_row,
        ),
        ListedKey: Layout.single(
            stream_directory_rows.listed_key,
            stream_directory_rows.listed_key_of,
            stream_directory_rows.listed_to_row,
            stream_directory_rows.listed_from_row,
        ),
        CheckpointKey: Layout.single(
            stream_directory_rows.checkpoint_key,
            stream_directory_rows.checkpoint_key_of,
            stream_directory_rows.checkpoint_to_row,
            stream_directory_rows.checkpoint_from_row,
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
            where = quarantine_rows.partition_key(projection)
            return Partitions(PROJECTION_STATE.name, [where], SetAsideKey)
        case _:
            raise TypeError(f"no table holds {group!r}")
