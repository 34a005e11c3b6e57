"""
Who writes and reads what, found by place, and what an entity writes, found by the entity.

A fact says all that holds from now on and all that no longer does, so that no card has to be
read to fold it in.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from attrs import frozen

from application.lineage.read_model import TieKey, TieView, WriterView, WrittenKey, WrittenView
from application.projections.projection import Changes, View
from application.projections.view_store import Group, Key
from application.recorded import Recorded
from domain.ids import ColumnUrn, DatasetUrn, EntityId, column_parts, is_column
from domain.lineage.impact import Writing
from domain.lineage.lineage import Declared, Role, Spec, Tie

LINEAGE_INDEX = "lineage-index"


@frozen
class LineageCards:
    name: str = LINEAGE_INDEX

    def concerns(self, fact: object, version: int) -> bool:
        return type(fact) is Declared

    def keys(self, recorded: Recorded) -> Iterable[Key]:
        return ()

    def groups(self, recorded: Recorded) -> Iterable[Group]:
        return ()

    def after(self, view: View, recorded: Recorded) -> Changes:
        match recorded.fact:
            case Declared() as fact:
                for key in _withdrawn(fact):
                    yield key, None
                yield from ((card.key, card) for card in _ties(fact.spec))
                yield from ((card.key, card) for card in _written(fact.spec))
                yield from ((card.key, card) for card in _writers(fact.spec))


def _withdrawn(fact: Declared) -> Iterator[TieKey | WrittenKey]:
    producer = fact.spec.producer
    for tie in fact.withdrawn.ties().keys() - fact.spec.entries.ties().keys():
        yield TieKey(tie, producer)
        if _is_written_dataset(tie):
            yield WrittenKey(tie.entity, DatasetUrn(tie.place), producer)


def _ties(spec: Spec) -> Iterator[TieView]:
    for tie, entity in spec.entries.ties().items():
        yield TieView(
            role=tie.role,
            place=tie.place,
            entity=entity,
            confidence=spec.confidence,
            spec_id=spec.spec_id,
            commit=spec.commit,
            updated_at=spec.updated_at,
            ttl_seconds=spec.ttl_seconds,
        )


def _written(spec: Spec) -> Iterator[WrittenView]:
    columns = _columns(spec)
    for tie in spec.entries.ties():
        if _is_written_dataset(tie):
            dataset = DatasetUrn(tie.place)
            writing = Writing(dataset, spec.confidence, columns.get((tie.entity, dataset), ()))
            yield WrittenView(tie.entity, writing, spec.producer, spec.ends_at)


def _writers(spec: Spec) -> Iterator[WriterView]:
    for entity in dict.fromkeys(t.entity for t in spec.entries.ties() if t.role is Role.WRITER):
        yield WriterView(entity)


def _columns(spec: Spec) -> Mapping[tuple[EntityId, DatasetUrn], tuple[str, ...]]:
    """The columns that each entity is declared to write, by dataset."""
    found: defaultdict[tuple[EntityId, DatasetUrn], list[str]] = defaultdict(list)
    for entry in spec.entries.column_writes:
        dataset, column = column_parts(ColumnUrn(entry.place))
        found[entry.entity.entity_id, dataset].append(column)
    return {key: tuple(sorted(names)) for key, names in found.items()}


def _is_written_dataset(tie: Tie) -> bool:
    return tie.role is Role.WRITER and not is_column(tie.place)
