"""
Names in requests, parsed.

Each kind of name has two readers: `parse_…` returns the name and its violations, `…_named` adds
them to a list, for subjects that still collect the violations of a request.
"""

from collections.abc import Sequence

from attrs import evolve

from application.signals.read_model import SignalKey
from domain.errors import Violation
from domain.ids import (
    SIGNAL_TYPES,
    ColumnUrn,
    DatasetUrn,
    IncidentId,
    Place,
    SignalType,
    is_column_urn,
    is_dataset_urn,
    is_incident_id,
    is_signal_type,
)
from entrypoints.interfaces.sent import Sent, collected, unreadable

MOST_NAMES = 500
"""In one read of many."""


def parse_dataset(urn: str) -> Sent[DatasetUrn]:
    if is_dataset_urn(urn):
        return Sent(DatasetUrn(urn))
    said = "must look like urn:dp:<domain>:<name>:v<n>"
    return Sent(DatasetUrn(urn), [Violation("dataset_urn", "MALFORMED", said)])


def parse_column(urn: str) -> Sent[ColumnUrn]:
    if is_column_urn(urn):
        return Sent(ColumnUrn(urn))
    said = "must look like urn:col:urn:dp:<domain>:<name>:v<n>:<column>"
    return Sent(ColumnUrn(urn), [Violation("column_urn", "MALFORMED", said)])


def parse_signal_type(signal_type: str) -> Sent[SignalType]:
    if is_signal_type(signal_type):
        return Sent(SignalType(signal_type))
    said = f"must be {', '.join(SIGNAL_TYPES)} or CUSTOM_<NAME>"
    return Sent(SignalType(signal_type), [Violation("signal_type", "UNKNOWN_VALUE", said)])


def parse_incident(name: str) -> Sent[IncidentId]:
    if is_incident_id(name):
        return Sent(IncidentId(name))
    said = "must look like INC-7721 or INC-<ulid>"
    return Sent(IncidentId(name), [Violation("incident_id", "MALFORMED", said)])


def parse_place(urn: str) -> Sent[Place]:
    """A dataset or a column."""
    if is_dataset_urn(urn) or is_column_urn(urn):
        return Sent(Place(urn))
    said = "must look like urn:dp:<domain>:<name>:v<n>, or urn:col:<dataset urn>:<column>"
    return Sent(Place(urn), [Violation("urn", "MALFORMED", said)])


def parse_signals(
    names: Sequence[tuple[str, str]], *, field: str = "signals"
) -> Sent[Sequence[SignalKey]]:
    """Many at once, each a dataset and a signal type. Violations name the place in the list."""
    keys, violations = list[SignalKey](), [*too_many(names, field)]
    for number, (urn, signal_type) in enumerate(names[:MOST_NAMES]):
        dataset, kind = parse_dataset(urn), parse_signal_type(signal_type)
        keys.append(SignalKey(dataset.value, kind.value))
        violations += within(f"{field}[{number}]", unreadable(dataset, kind))
    return Sent(keys, violations)


def too_many(names: Sequence[object], field: str) -> Sequence[Violation]:
    if len(names) <= MOST_NAMES:
        return ()
    return (Violation(field, "TOO_MANY", f"must be at most {MOST_NAMES}"),)


def dataset_named(urn: str, found: list[Violation]) -> DatasetUrn:
    return collected(parse_dataset(urn), found)


def column_named(urn: str, found: list[Violation]) -> ColumnUrn:
    return collected(parse_column(urn), found)


def signal_named(signal_type: str, found: list[Violation]) -> SignalType:
    return collected(parse_signal_type(signal_type), found)


def incident_named(name: str, found: list[Violation]) -> IncidentId:
    return collected(parse_incident(name), found)


def place_named(urn: str, found: list[Violation]) -> Place:
    return collected(parse_place(urn), found)


def signals_named(
    names: Sequence[tuple[str, str]], found: list[Violation], *, field: str = "signals"
) -> Sequence[SignalKey]:
    return collected(parse_signals(names, field=field), found)


def refuse_too_many(names: Sequence[object], found: list[Violation], field: str) -> None:
    found += too_many(names, field)


def within(place: str, wrong: Sequence[Violation]) -> Sequence[Violation]:
    """The same about a part of something larger."""
    return [evolve(one, field=f"{place}.{one.field}") for one in wrong]
