"""
The names of things, and what they look like.

    dataset            urn:dp:<domain>:<name>:v<n>                 at most 200 characters
    column             urn:col:<dataset urn>:<column>              at most 400 characters
    signal type        FRESHNESS … LATENCY, or CUSTOM_<NAME>       at most 64 characters
    failure signature  <REASON_CODE>:<field>                       at most 200 characters
    evidence           evd-<ulid>
    incident           INC-<ulid>; others, such as INC-7721, can be imported   at most 64 characters
    stream             <category>-<id>
"""

import re
from typing import NewType

DatasetUrn = NewType("DatasetUrn", str)
ColumnUrn = NewType("ColumnUrn", str)
SignalType = NewType("SignalType", str)
FailureSignature = NewType("FailureSignature", str)
EvidenceId = NewType("EvidenceId", str)
IncidentId = NewType("IncidentId", str)
StreamId = NewType("StreamId", str)

SIGNAL_TYPES = ("FRESHNESS", "VOLUME", "CONTRACT_COMPLIANCE", "SCHEMA", "PII", "LATENCY")

_WORD = r"[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?"
_DATASET = rf"urn:dp:{_WORD}:{_WORD}:v[1-9][0-9]{{0,5}}"
_ULID = r"[0-7][0-9A-HJKMNP-TV-Z]{25}"
_FIELD = r"[A-Za-z0-9_$@*](?:[A-Za-z0-9_.$@*\[\]-]*)"

DATASET_URN = re.compile(_DATASET)
COLUMN_URN = re.compile(rf"urn:col:{_DATASET}:{_FIELD}")
CUSTOM_SIGNAL_TYPE = re.compile(r"CUSTOM_[A-Z0-9](?:[A-Z0-9_]*[A-Z0-9])?")
FAILURE_SIGNATURE = re.compile(rf"[A-Z][A-Z0-9_]*:{_FIELD}")
EVIDENCE_ID = re.compile(rf"evd-{_ULID}")
INCIDENT_ID = re.compile(r"INC-[A-Za-z0-9-]{1,60}")


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


def is_incident_id(text: str) -> bool:
    return INCIDENT_ID.fullmatch(text) is not None


def dataset_stream(dataset: DatasetUrn) -> StreamId:
    return StreamId(f"dataset-{dataset}")


def signal_stream(dataset: DatasetUrn, signal_type: SignalType) -> StreamId:
    return StreamId(f"signal-{dataset}/{signal_type}")


def incident_stream(incident: IncidentId) -> StreamId:
    return StreamId(f"incident-{incident}")


def fault_stream(dataset: DatasetUrn, signature: FailureSignature) -> StreamId:
    return StreamId(f"fault-{dataset}/{signature}")


def dataset_of(stream: StreamId) -> DatasetUrn:
    """The dataset that a dataset's, a signal's or a fault's stream is about."""
    name = stream.partition("-")[2]
    return DatasetUrn(name.partition("/")[0])


def signal_of(stream: StreamId) -> SignalType:
    return SignalType(stream.rpartition("/")[2])


def signature_of(stream: StreamId) -> FailureSignature:
    return FailureSignature(stream.rpartition("/")[2])


def incident_of(stream: StreamId) -> IncidentId:
    return IncidentId(stream.partition("-")[2])
