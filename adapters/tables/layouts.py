"""Which cards lie in which rows: one entry for each kind of key and of group."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from attrs import frozen

from adapters.eventstore.sealing import Seals
from adapters.tables import (
    dataset_rows,
    dead_letter_rows,
    incident_rows,
    lineage_rows,
    rule_rows,
    signal_rows,
    state_rows,
)
from adapters.tables.catalogue import SIGNAL_STATE
from adapters.tables.engine import Row, RowKey
from application.ports.cards import Card, Group, Key
from application.ports.dead_letters import DeadLetterKey
from application.ports.incident_board import IncidentKey, OpenFaultsKey
from application.ports.lineage_graph import TieKey, WrittenKey
from application.ports.registry import DatasetKey
from application.ports.resolution_map import RuleBookKey, TopicRuleKey
from application.ports.signal_board import SignalKey, SignalsOf
from application.projections.signal_board import FacetsKey


@frozen
class Layout:
    """How one kind of card lies in rows. A card may lie in several: the first is read."""

    row_keys: Callable[[Any], Sequence[RowKey]]
    key_of: Callable[[Row], Key]
    to_rows: Callable[[Any, int], Sequence[Row]]
    from_row: Callable[[Row], Card]

    @classmethod
    def single(
        cls,
        row_key: Callable[[Any], RowKey],
        key_of: Callable[[Row], Key],
        to_row: Callable[[Any, int], Row],
        from_row: Callable[[Row], Card],
    ) -> "Layout":
        return cls(
            lambda key: [row_key(key)],
            key_of,
            lambda card, position: [to_row(card, position)],
            from_row,
        )


@frozen
class Partition:
    """Where all cards of a group lie together."""

    table: str
    pk: str
    kind: type


def layouts(seals: Seals) -> Mapping[type, Layout]:
    return {
        SignalKey: Layout.single(
            signal_rows.row_key, signal_rows.key_of, signal_rows.to_row, signal_rows.from_row
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
        ),
        DatasetKey: Layout.single(
            dataset_rows.row_key,
            dataset_rows.key_of,
            partial(dataset_rows.to_row, seals=seals),
            partial(dataset_rows.from_row, seals=seals),
        ),
        TopicRuleKey: Layout(
            rule_rows.row_keys, rule_rows.key_of, rule_rows.to_rows, rule_rows.from_row
        ),
        FacetsKey: Layout.single(
            state_rows.facets_key,
            state_rows.facets_key_of,
            state_rows.facets_to_row,
            state_rows.facets_from_row,
        ),
        RuleBookKey: Layout.single(
            state_rows.rules_key,
            state_rows.rules_key_of,
            state_rows.rules_to_row,
            state_rows.rules_from_row,
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
        DeadLetterKey: Layout.single(
            dead_letter_rows.row_key,
            dead_letter_rows.key_of,
            dead_letter_rows.to_row,
            dead_letter_rows.from_row,
        ),
    }


def partition(group: Group) -> Partition:
    match group:
        case SignalsOf(dataset):
            return Partition(SIGNAL_STATE.name, dataset, SignalKey)
        case _:
            raise TypeError(f"no table holds {group!r}")
