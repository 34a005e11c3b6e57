"""
The names of things, and what they look like.

    dataset            urn:dp:<domain>:<name>:v<n>                 at most 200 characters
    column             urn:col:<dataset urn>:<column>              at most 400 characters
    signal type        FRESHNESS … LATENCY, or CUSTOM_<NAME>       at most 64 characters
    failure signature  <REASON_CODE>:<field>                       at most 200 characters
    evidence           evd-<ulid>
    entity, producer   words joined by colons, job:orders-landing  at most 200 characters
    lineage spec       lspec:<producer>:<source>:<commit>
    incident           INC-<ulid>; others, such as INC-7721, can be imported   at most 64 characters
"""

import re
from typing import NewType

DatasetUrn = NewType("DatasetUrn", str)
ColumnUrn = NewType("ColumnUrn", str)
SignalType = NewType("SignalType", str)
FailureSignature = NewType("FailureSignature", str)
EvidenceId = NewType("EvidenceId", str)
EntityId = NewType("EntityId", str)
ProducerId = NewType("ProducerId", str)
SpecId = NewType("SpecId", str)
IncidentId = NewType("IncidentId", str)

Place = NewType("Place", str)
"""Where data lies, as lineage names it: the URN of a dataset or of a column."""

SIGNAL_TYPES = ("FRESHNESS", "VOLUME", "CONTRACT_COMPLIANCE", "SCHEMA", "PII", "LATENCY")

_WORD = r"[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?"
_DATASET = rf"urn:dp:{_WORD}:{_WORD}:v[1-9][0-9]{{0,5}}"
_ULID = r"[0-7][0-9A-HJKMNP-TV-Z]{25}"
_ENTITY = rf"{_WORD}(?::{_WORD})*"
_FIELD = r"[A-Za-z0-9_$@*](?:[A-Za-z0-9_.$@*\[\]-]*)"

DATASET_URN = re.compile(_DATASET)
FIELD = re.compile(_FIELD)
COLUMN_URN = re.compile(rf"urn:col:{_DATASET}:{_FIELD}")
CUSTOM_SIGNAL_TYPE = re.compile(r"CUSTOM_[A-Z0-9](?:[A-Z0-9_]*[A-Z0-9])?")
FAILURE_SIGNATURE = re.compile(rf"[A-Z][A-Z0-9_]*:{_FIELD}")
EVIDENCE_ID = re.compile(rf"evd-{_ULID}")
ENTITY_ID = re.compile(_ENTITY)
COMMIT = re.compile(_WORD)
SPEC_ID = re.compile(rf"lspec:{_ENTITY}:{_WORD}:{_WORD}")
INCIDENT_ID = re.compile(r"INC-[A-Za-z0-9-]{1,60}")

_ULID_DIGITS = {digit: n for n, digit in enumerate("0123456789ABCDEFGHJKMNPQRSTVWXYZ")}


def is_dataset_urn(text: str) -> bool:
    return len(text) <= 200 and DATASET_URN.fullmatch(text) is not None


def is_column_urn(text: str) -> bool:
    return len(text) <= 400 and COLUMN_URN.fullmatch(text) is not None


def is_signal_type(text: str) -> bool:
    if text in SIGNAL_TYPES:
        return True
    return len(text) <= 64 and CUSTOM_SIGNAL_TYPE.fullmatch(text) is not None


def is_failure_signature(text: str) -> bool:
    return len(text) <= 200 and FAILURE_SIGNATURE.fullmatch(text) is not None


def is_evidence_id(text: str) -> bool:
    return EVIDENCE_ID.fullmatch(text) is not None


def is_entity_id(text: str) -> bool:
    return len(text) <= 200 and ENTITY_ID.fullmatch(text) is not None


def is_commit(text: str) -> bool:
    return len(text) <= 64 and COMMIT.fullmatch(text) is not None


def is_spec_id(text: str) -> bool:
    if len(text) > 310 or SPEC_ID.fullmatch(text) is None:
        return False
    producer, source, commit = spec_parts(SpecId(text))
    return len(producer) <= 200 and len(source) <= 32 and len(commit) <= 64


def spec_parts(spec: SpecId) -> tuple[ProducerId, str, str]:
    """The producer, the source and the commit that a spec's id is made of.

    Read from the end: sources and commits have no colons, whatever colons are left are the
    producer's own, as in `lspec:job:orders-landing:git:9f31c2d`.
    """
    rest, _, commit = spec.removeprefix("lspec:").rpartition(":")
    producer, _, source = rest.rpartition(":")
    return ProducerId(producer), source, commit


def column_urn(dataset: DatasetUrn, column: str) -> ColumnUrn:
    return ColumnUrn(f"urn:col:{dataset}:{column}")


def column_parts(column: ColumnUrn) -> tuple[DatasetUrn, str]:
    """The dataset and the name that a column's URN is made of; names have no colons."""
    dataset, _, name = column.removeprefix("urn:col:").rpartition(":")
    return DatasetUrn(dataset), name


def is_column(place: Place) -> bool:
    """Whether the place is a column, not a dataset."""
    return place.startswith("urn:col:")


def dataset_at(place: Place) -> DatasetUrn:
    """The dataset that a place is, or is a column of."""
    return column_parts(ColumnUrn(place))[0] if is_column(place) else DatasetUrn(place)


def is_incident_id(text: str) -> bool:
    return INCIDENT_ID.fullmatch(text) is not None


def made_milliseconds(name: EvidenceId) -> int:
    """When the ULID in an id was made, by the clock of whoever made it, since 1970."""
    made = 0
    for digit in name[4:14]:
        made = made << 5 | _ULID_DIGITS[digit]
    return made
