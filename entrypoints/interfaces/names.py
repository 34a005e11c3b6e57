"""Names that callers say: read into ours, or told what is wrong with them."""

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

MOST_NAMES = 500
"""In one read of many."""


def dataset_named(urn: str, found: list[Violation]) -> DatasetUrn:
    if not is_dataset_urn(urn):
        said = "must look like urn:dp:<domain>:<name>:v<n>"
        found.append(Violation("dataset_urn", "MALFORMED", said))
    return DatasetUrn(urn)


def column_named(urn: str, found: list[Violation]) -> ColumnUrn:
    if not is_column_urn(urn):
        said = "must look like urn:col:urn:dp:<domain>:<name>:v<n>:<column>"
        found.append(Violation("column_urn", "MALFORMED", said))
    return ColumnUrn(urn)


def signal_named(signal_type: str, found: list[Violation]) -> SignalType:
    if not is_signal_type(signal_type):
        said = f"must be {', '.join(SIGNAL_TYPES)} or CUSTOM_<NAME>"
        found.append(Violation("signal_type", "UNKNOWN_VALUE", said))
    return SignalType(signal_type)


def incident_named(name: str, found: list[Violation]) -> IncidentId:
    if not is_incident_id(name):
        said = "must look like INC-7721 or INC-<ulid>"
        found.append(Violation("incident_id", "MALFORMED", said))
    return IncidentId(name)


def place_named(urn: str, found: list[Violation]) -> Place:
    """A dataset or a column."""
    if not (is_dataset_urn(urn) or is_column_urn(urn)):
        said = "must look like urn:dp:<domain>:<name>:v<n>, or urn:col:<dataset urn>:<column>"
        found.append(Violation("urn", "MALFORMED", said))
    return Place(urn)


def signals_named(
    names: Sequence[tuple[str, str]], found: list[Violation], *, field: str = "signals"
) -> Sequence[SignalKey]:
    """Many at once, each a dataset and a signal type. What is wrong is told by its place."""
    refuse_too_many(names, found, field)
    keys = []
    for number, (urn, signal_type) in enumerate(names[:MOST_NAMES]):
        wrong: list[Violation] = []
        keys.append(SignalKey(dataset_named(urn, wrong), signal_named(signal_type, wrong)))
        if wrong:
            found += within(f"{field}[{number}]", wrong)
    return keys


def refuse_too_many(names: Sequence[object], found: list[Violation], field: str) -> None:
    if len(names) > MOST_NAMES:
        found.append(Violation(field, "TOO_MANY", f"must be at most {MOST_NAMES}"))


def within(place: str, wrong: Sequence[Violation]) -> Sequence[Violation]:
    """The same about a part of something larger."""
    return [evolve(one, field=f"{place}.{one.field}") for one in wrong]
