"""
Whether a report of evidence is right, at a glance.

Fifty thousand come in a second, nearly all of them right, and most of what they say was said a
moment ago. Whoever is not sure here asks `EvidenceReport.violations`, which says what is wrong.
"""

from collections.abc import Hashable
from datetime import UTC, datetime

from attrs import define, field

from domain.evidence_contract import (
    LARGEST_PARTITION,
    LONGEST_REFERENCE,
    SHA256,
    SPAN,
    TRACE,
    EvidenceReport,
)
from domain.ids import EVIDENCE_ID
from domain.moments import EARLIEST
from domain.violations import AHEAD, LARGEST_INTEGER

MOST_REMEMBERED = 20_000
"""Then all are forgotten: it takes a moment to learn them again."""

MOST_REASONS = 4
"""A report with more is not remembered: few have, and they are large."""

_ID, _HASH = EVIDENCE_ID.fullmatch, SHA256.fullmatch
_TRACE_ID, _SPAN_ID = TRACE.fullmatch, SPAN.fullmatch


@define
class Glance:
    """Remembers what was found right in other reports: datasets, reasons, producers, schemas."""

    _right: set[Hashable] = field(factory=set)

    def is_right(self, report: EvidenceReport, at: datetime) -> bool:
        """Whether `violations` would find nothing. It is not always known: then it says no."""
        (name, dataset, created_at, result, gates, codes, producer, version, confidence) = report[
            :9
        ]
        (topic, partition, offset, schema, payload, trace, span, ref, size) = report[9:]
        return (
            (dataset, result, gates, codes) in self._right
            and (producer, version, confidence, topic, schema) in self._right
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

    def learn(self, report: EvidenceReport) -> None:
        """Take note of a report that nothing is wrong with."""
        if len(report.failed_gates) + len(report.reason_codes) > MOST_REASONS:
            return
        if len(self._right) > MOST_REMEMBERED:
            self._right.clear()
        self._right.add(report[1:2] + report[3:6])
        self._right.add(report[6:10] + report[12:13])
