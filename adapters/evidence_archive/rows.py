"""
Evidence as a row of an archived object: a JSON array, so that it is small and quick.

    id  dataset  created  recorded  verdict  gates  reasons  producer  source
    fingerprint  hash  trace  span  payload  size

Moments are microseconds since 1970. What a row looks like never changes within a format version
(`sealing.py`): rows that were written once are read for ever. The embedded evidence cache
keeps the same rows.
"""

from datetime import datetime, timedelta
from typing import Any

from domain.evidence.evidence import Evidence, Source, Verdict
from domain.ids import DatasetUrn, EvidenceId
from domain.signal.evaluation import Confidence, Producer
from domain.timestamps import EARLIEST

Row = list[Any]

ID, DATASET, CREATED, RECORDED = range(4)
_FIELDS = 15
_MICROSECOND = timedelta(microseconds=1)
_LAST = 10**17 - 1
_HOUR = 3_600_000_000


def microseconds(at: datetime) -> int:
    return (at - EARLIEST) // _MICROSECOND


def moment_of(number: int) -> datetime:
    return EARLIEST + timedelta(microseconds=number)


def hour_of(number: int) -> int:
    """Which hour since 1970 it is."""
    return number // _HOUR


def hour_start(hour: int) -> datetime:
    return moment_of(hour * _HOUR)


def to_row(one: Evidence) -> Row:
    producer, source = one.producer, one.source
    return [
        one.evidence_id,
        one.dataset,
        microseconds(one.created_at),
        microseconds(one.recorded_at),
        one.verdict,
        one.failed_gates,
        one.reason_codes,
        producer and (producer.producer_id, producer.version, producer.confidence),
        source and (source.topic, source.partition, source.offset),
        one.schema_fingerprint,
        one.payload_hash,
        one.trace_id,
        one.span_id,
        one.payload_ref,
        one.payload_size_bytes,
    ]


def from_row(row: Row) -> Evidence:
    """Raises ValueError or TypeError if it is no row."""
    if len(row) != _FIELDS:
        raise ValueError(f"evidence has {_FIELDS} fields, not {len(row)}")
    return Evidence(
        EvidenceId(row[ID]),
        DatasetUrn(row[DATASET]),
        moment_of(row[CREATED]),
        moment_of(row[RECORDED]),
        Verdict(row[4]),
        tuple(row[5]),
        tuple(row[6]),
        _producer(row[7]),
        Source(*row[8]) if row[8] else None,
        *row[9:],
    )


def _producer(told: Row | None) -> Producer | None:
    if not told:
        return None
    name, version, confidence = told
    return Producer(name, version, Confidence(confidence) if confidence else None)


def recorded(row: Row) -> int:
    return int(row[RECORDED])


def edge(at: datetime) -> str:
    """The place that all of a moment and of what follows lies behind."""
    return f"{min(max(microseconds(at), 0), _LAST):017}"


def place(row: Row) -> str:
    """Sorts as rows of a dataset do: by when they were created, then by id."""
    return f"{row[CREATED]:017}{row[ID]}"
