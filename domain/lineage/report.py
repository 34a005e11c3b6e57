"""A lineage spec as sent, and its validation (S0-244..245)."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from attrs import frozen

from domain.errors import Invalid, Violation
from domain.ids import (
    EntityId,
    Place,
    SpecId,
    is_column_urn,
    is_commit,
    is_dataset_urn,
    is_entity_id,
    is_spec_id,
    spec_parts,
)
from domain.lineage.lineage import TTL_SECONDS, Entity, EntityType, Entries, Entry, Spec
from domain.signal.evaluation import Confidence
from domain.timestamps import to_millisecond
from domain.validation import integer, plausible, required, text
from domain.violations import first_causes

MOST_ENTRIES = 1_000
LONGEST_NAME = 200
SHORTEST_TTL = 24 * 3600
LONGEST_TTL = 3650 * 24 * 3600

_DATASET = "must look like urn:dp:<domain>:<name>:v<n>"
_COLUMN = "must look like urn:col:urn:dp:<domain>:<name>:v<n>:<column>"
_SPEC = (
    "must look like lspec:<producer>:<source>:<commit>, of at most 200, 32 and 64 letters, digits,"
    " _, . and -; the producer may have colons"
)
_COMMIT = "must have at most 64 letters, digits, _, . and -"
_ENTITY = "must have at most 200 letters, digits, _, . and -, in words joined by colons"


@frozen
class ReportedEntry:
    urn: str | None = None
    entity_id: str | None = None
    entity_name: str | None = None
    entity_type: str | None = None

    def parsed(self) -> Entry | None:
        """Nothing if a field is missing, which is a violation."""
        urn, name, entity, kind = self.urn, self.entity_name, self.entity_id, self.entity_type
        if urn is None or name is None or entity is None or kind is None:
            return None
        return Entry(Place(urn), Entity(EntityId(entity), name, EntityType(kind)))


@frozen
class LineageReport:
    """A spec as it was sent: nothing is checked yet, anything may be missing."""

    spec_id: str
    confidence: str | None = None
    commit: str | None = None
    updated_at: datetime | None = None
    ttl_seconds: int | None = None
    dataset_reads: tuple[ReportedEntry, ...] = ()
    dataset_writes: tuple[ReportedEntry, ...] = ()
    column_reads: tuple[ReportedEntry, ...] = ()
    column_writes: tuple[ReportedEntry, ...] = ()
    unreadable: tuple[Violation, ...] = ()
    """What the interface could not read."""

    def parse(self, *, at: datetime, otherwise: int = TTL_SECONDS) -> Spec:
        """The spec that was sent. If it does not say, it holds `otherwise` seconds.

        Raises:
            Invalid: With every violation, those of unreadable fields included.
        """
        violations = first_causes(self.unreadable, self._violations(at))
        spec = None if violations else self._spec(otherwise)
        if spec is None:
            raise Invalid(violations)
        return spec

    def _violations(self, at: datetime) -> Iterator[Violation]:
        yield from self._names()
        yield from self._confidence()
        yield from self._life(at)
        yield from _entries("dataset_reads", self.dataset_reads, _dataset)
        yield from _entries("dataset_writes", self.dataset_writes, _dataset)
        yield from _entries("column_reads", self.column_reads, _column)
        yield from _entries("column_writes", self.column_writes, _column)

    def _spec(self, otherwise: int) -> Spec | None:
        """Nothing if a required field is missing, which is a violation."""
        commit, confidence, updated_at = self.commit, self.confidence, self.updated_at
        if commit is None or confidence is None or updated_at is None:
            return None
        return Spec(
            spec_id=SpecId(self.spec_id),
            commit=commit,
            confidence=Confidence(confidence),
            updated_at=to_millisecond(updated_at),
            entries=Entries(
                _parsed(self.dataset_reads),
                _parsed(self.dataset_writes),
                _parsed(self.column_reads),
                _parsed(self.column_writes),
            ).ordered(),
            ttl_seconds=otherwise if self.ttl_seconds is None else self.ttl_seconds,
        )

    def _names(self) -> Iterator[Violation]:
        named = is_spec_id(self.spec_id)
        if not named:
            yield Violation("spec_id", "MALFORMED", _SPEC)
        yield from required("commit", self.commit)
        if not self.commit:
            return
        if not is_commit(self.commit):
            yield Violation("commit", "MALFORMED", _COMMIT)
        elif named and not self.commit.startswith(spec_parts(SpecId(self.spec_id))[2]):
            yield Violation(
                "commit", "INCONSISTENT", "must be the one in spec_id, or its long form"
            )

    def _confidence(self) -> Iterator[Violation]:
        yield from required("confidence", self.confidence)
        yield from _one_of("confidence", self.confidence, Confidence)

    def _life(self, at: datetime) -> Iterator[Violation]:
        yield from required("updated_at", self.updated_at)
        yield from plausible("updated_at", self.updated_at, at)
        yield from integer("ttl_seconds", self.ttl_seconds, least=SHORTEST_TTL, most=LONGEST_TTL)


Check = Callable[[str, str | None], Iterator[Violation]]


def _entries(field: str, entries: Sequence[ReportedEntry], urn: Check) -> Iterator[Violation]:
    if len(entries) > MOST_ENTRIES:
        yield Violation(field, "TOO_MANY", f"must have at most {MOST_ENTRIES} entries")
        return
    seen: set[tuple[str | None, str | None]] = set()
    for index, entry in enumerate(entries):
        place = f"{field}[{index}]"
        yield from urn(place, entry.urn)
        yield from _entity(place, entry)
        key = (entry.urn, entry.entity_id)
        if key in seen and all(key):
            yield Violation(place, "DUPLICATE", "repeats the URN and the entity of another entry")
        seen.add(key)


def _dataset(place: str, urn: str | None) -> Iterator[Violation]:
    yield from required(f"{place}.dataset_urn", urn)
    if urn and not is_dataset_urn(urn):
        yield Violation(f"{place}.dataset_urn", "MALFORMED", _DATASET)


def _column(place: str, urn: str | None) -> Iterator[Violation]:
    yield from required(f"{place}.column_urn", urn)
    if urn and not is_column_urn(urn):
        yield Violation(f"{place}.column_urn", "MALFORMED", _COLUMN)


def _entity(place: str, entry: ReportedEntry) -> Iterator[Violation]:
    yield from required(f"{place}.entity_id", entry.entity_id)
    if entry.entity_id and not is_entity_id(entry.entity_id):
        yield Violation(f"{place}.entity_id", "MALFORMED", _ENTITY)
    yield from required(f"{place}.entity_name", entry.entity_name)
    yield from text(f"{place}.entity_name", entry.entity_name, most=LONGEST_NAME)
    yield from required(f"{place}.entity_type", entry.entity_type)
    yield from _one_of(f"{place}.entity_type", entry.entity_type, EntityType)


def _one_of(
    field: str, value: str | None, kind: type[Confidence] | type[EntityType]
) -> Iterator[Violation]:
    if value and value not in kind.__members__:
        yield Violation(field, "UNKNOWN_VALUE", f"must be {', '.join(kind)}")


def _parsed(entries: Sequence[ReportedEntry]) -> tuple[Entry, ...]:
    return tuple(entry for entry in map(ReportedEntry.parsed, entries) if entry is not None)
