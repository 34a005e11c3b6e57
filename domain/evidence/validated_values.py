"""
Cache of values in reports of evidence that were validated before.

Fifty thousand reports arrive each second. Nearly all of them are valid, and most of their values
are those of an earlier report. `EvidenceReport.violations` checks the reports that miss the cache.
"""

from collections.abc import Hashable
from datetime import UTC, datetime

from attrs import define, field

from domain.evidence.report import (
    LARGEST_PARTITION,
    LONGEST_REFERENCE,
    SHA256,
    SPAN,
    TRACE,
    EvidenceReport,
)
from domain.ids import EVIDENCE_ID
from domain.timestamps import EARLIEST
from domain.validation import AHEAD, LARGEST_INTEGER

MOST_VALUES = 20_000
"""Then the cache is emptied: the values are added again within a moment."""

MOST_REASONS = 4
"""A report with more is not added: few have, and they are large."""

_ID, _HASH = EVIDENCE_ID.fullmatch, SHA256.fullmatch
_TRACE_ID, _SPAN_ID = TRACE.fullmatch, SPAN.fullmatch


@define
class ValidatedValueCache:
    """Datasets, reasons, producers and schemas of valid reports. All other fields are checked."""

    _valid: set[Hashable] = field(factory=set)

    def is_known_valid(self, report: EvidenceReport, at: datetime) -> bool:
        """Whether `violations` certainly returns nothing; a valid report may miss the cache."""
        (name, dataset, created_at, result, gates, codes, producer, version, confidence) = report[
            :9
        ]
        (topic, partition, offset, schema, payload, trace, span, ref, size, unreadable) = report[9:]
        return (
            not unreadable
            and (dataset, result, gates, codes) in self._valid
            and (producer, version, confidence, topic, schema) in self._valid
            and name is not None
            and _ID(name) is not None
            and created_at is not None
            and created_at.tzinfo is UTC
            and EARLIEST <= created_at <= at + AHEAD
            and (partition is None or 0 <= partition <= LARGEST_PARTITION)
            and (offset is None or 0 <= offset <= LARGEST_INTEGER)
            and bool(topic or not (partition or offset))
            and (not payload or _HASH(payload) is not None)
            and (not trace or _TRACE_ID(trace) is not None)
            and (not span or _SPAN_ID(span) is not None)
            and (not ref or (len(ref) <= LONGEST_REFERENCE and ref.isprintable()))
            and (size is None or 0 <= size <= LARGEST_INTEGER)
        )

    def add(self, report: EvidenceReport) -> None:
        """Add the values of a report without violations."""
        if len(report.failed_gates) + len(report.reason_codes) > MOST_REASONS:
            return
        if len(self._valid) > MOST_VALUES:
            self._valid.clear()
        self._valid.add(report[1:2] + report[3:6])
        self._valid.add(report[6:10] + report[12:13])
