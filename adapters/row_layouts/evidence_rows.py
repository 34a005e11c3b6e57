"""
Evidence as rows of `observability-evidence-cache` (S0-100..S0-109).

    evidence_id  dataset_urn  created_at  recorded_at  ttl        pinned
    evd-01H…     urn:dp:…:v1  2026-01-…Z  2026-01-…Z   176847…
    evd-01H…     urn:dp:…:v1  2026-01-…Z  2026-01-…Z   (no ttl)   true

The other attributes are maps: producer, source, validation, fingerprints, otel. What is not known
is left out. `ttl` counts from when the store accepted the evidence (T2): what is late by its own
clock is at hand as long as everything else. It ends with a full second on every engine, so that
DynamoDB can compare it inside a write. A row that is pinned has no ttl, so nothing throws it away.
"""

from datetime import datetime, timedelta
from typing import Any

from adapters.row_layouts.attributes import present
from adapters.row_layouts.engine import Row
from adapters.row_layouts.expiry import ttl
from application.evidence.archive import EvidenceAsked
from application.reads.paging import Cursor, PageRequest
from domain.errors import Invalid, Violation
from domain.evidence.evidence import Evidence, Source, Verdict
from domain.ids import DatasetUrn, EvidenceId
from domain.signal.evaluation import Confidence, Producer
from domain.timestamps import moment, stamp, to_millisecond

PINNED = "pinned"

_MILLISECOND = timedelta(milliseconds=1)
_MICROSECOND = timedelta(microseconds=1)


# Writing.


def to_row(one: Evidence, kept_for: timedelta, *, pinned: bool = False) -> Row:
    return {**_attributes(one), **({PINNED: True} if pinned else {"ttl": end_of(one, kept_for)})}


def end_of(one: Evidence, kept_for: timedelta) -> int:
    """The first full second at which it has ended, unless it is pinned."""
    end = ttl(one.recorded_at + kept_for)
    assert end is not None
    return end


def _attributes(one: Evidence) -> dict[str, Any]:
    """All of a row that never changes."""
    return present(
        {
            "evidence_id": one.evidence_id,
            "dataset_urn": one.dataset,
            "created_at": stamp(one.created_at),
            "recorded_at": stamp(one.recorded_at),
            "producer": one.producer and _producer(one.producer),
            "source": one.source and _source(one.source),
            "validation": _validation(one),
            "fingerprints": _known(
                schema_fingerprint=one.schema_fingerprint, payload_hash=one.payload_hash
            ),
            "otel": _known(trace_id=one.trace_id, span_id=one.span_id),
            "payload_ref": one.payload_ref,
            "payload_size_bytes": one.payload_size_bytes,
        }
    )


def _producer(producer: Producer) -> dict[str, str]:
    confidence = producer.confidence and producer.confidence.value
    told = {"producer_id": producer.producer_id, "version": producer.version}
    return present({**told, "confidence": confidence})


def _source(source: Source) -> dict[str, Any]:
    return {"topic": source.topic, "partition": source.partition, "offset": source.offset}


def _validation(one: Evidence) -> dict[str, Any]:
    if one.verdict is Verdict.PASS and not one.failed_gates and not one.reason_codes:
        return {"result": one.verdict.value}
    return {
        "result": one.verdict.value,
        "failed_gates": list(one.failed_gates),
        "reason_codes": list(one.reason_codes),
    }


def _known(**values: str | None) -> dict[str, str] | None:
    return present(values) or None


# Reading.


# An enumeration looks words up more slowly. What it does not know it refuses.
_VERDICTS = {one.value: one for one in Verdict}
_CONFIDENCES = {one.value: one for one in Confidence}
_NOTHING: Row = {}


def from_row(row: Row) -> Evidence:
    """Raises KeyError, ValueError or TypeError if it is no row."""
    validation = row["validation"]
    result = validation["result"]
    fingerprints, otel = row.get("fingerprints", _NOTHING), row.get("otel", _NOTHING)
    return Evidence(
        EvidenceId(row["evidence_id"]),
        DatasetUrn(row["dataset_urn"]),
        moment(row["created_at"]),
        moment(row["recorded_at"]),
        _VERDICTS.get(result) or Verdict(result),
        tuple(validation.get("failed_gates", ())),
        tuple(validation.get("reason_codes", ())),
        _told_producer(row.get("producer")),
        _told_source(row.get("source")),
        fingerprints.get("schema_fingerprint"),
        fingerprints.get("payload_hash"),
        otel.get("trace_id"),
        otel.get("span_id"),
        row.get("payload_ref"),
        row.get("payload_size_bytes"),
    )


def _told_producer(told: Row | None) -> Producer | None:
    if told is None:
        return None
    confidence = told.get("confidence")
    if confidence:
        confidence = _CONFIDENCES.get(confidence) or Confidence(confidence)
    return Producer(told["producer_id"], told.get("version"), confidence or None)


def _told_source(told: Row | None) -> Source | None:
    return None if told is None else Source(told["topic"], told["partition"], told["offset"])


# Walking by dataset and time.


def span(asked: EvidenceAsked) -> tuple[str, str]:
    """The first and the last `created_at` that fit. Stamps are to the millisecond, what is asked
    for may be finer."""
    first = to_millisecond(asked.since)
    if first < asked.since:
        first += _MILLISECOND
    return stamp(first), stamp(to_millisecond(asked.until - _MICROSECOND))


def place(row: Row) -> tuple[str, str]:
    """Where a row stands among those of its dataset; no two stand there."""
    return row["created_at"], row["evidence_id"]


def place_after(page: PageRequest) -> tuple[str, str] | None:
    """Raises Invalid if the cursor is from another list."""
    cursor: Cursor | None = page.after
    if cursor is None:
        return None
    if len(cursor) != 2:
        said = "must be one that this list gave out"
        raise Invalid([Violation("page_token", "MALFORMED", said)])
    return cursor[0], cursor[1]


def second(at: datetime) -> int:
    """What has this ttl or an earlier one has ended by then."""
    return int(at.timestamp())
