"""
Evidence as sent, and its validation.

Fifty thousand reports arrive each second, nearly all of them valid: a report is a flat tuple, and
only what is stored becomes evidence. A report is therefore parsed in two steps: `violations`, which
`ValidatedValueCache` spares most reports, and `evidence` for those that are part of the sample.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from domain.errors import Invalid, Violation
from domain.evidence.evidence import Evidence, Source, Verdict
from domain.ids import DatasetUrn, EvidenceId, is_dataset_urn, is_evidence_id, is_failure_signature
from domain.signal.evaluation import Confidence, Producer
from domain.timestamps import to_millisecond
from domain.validation import integer, plausible, required, text, word

MOST_REASONS = 50
LARGEST_PARTITION = 2**31 - 1
LONGEST_REFERENCE = 1_024

SHA256 = re.compile(r"sha256:[0-9a-f]{64}")
_DIGEST = "sha256:<64 hexadecimal digits>"
TRACE = re.compile(r"[0-9a-f]{32}")
SPAN = re.compile(r"[0-9a-f]{16}")


class EvidenceReport(NamedTuple):
    """Evidence as it was sent: nothing is checked yet, anything may be missing."""

    evidence_id: str | None = None
    dataset_urn: str | None = None
    created_at: datetime | None = None
    result: str | None = None
    failed_gates: tuple[str, ...] = ()
    reason_codes: tuple[str, ...] = ()
    producer_id: str | None = None
    producer_version: str | None = None
    confidence: str | None = None
    topic: str | None = None
    partition: int | None = None
    offset: int | None = None
    schema_fingerprint: str | None = None
    payload_hash: str | None = None
    trace_id: str | None = None
    span_id: str | None = None
    payload_ref: str | None = None
    payload_size_bytes: int | None = None
    unreadable: tuple[Violation, ...] = ()
    """What the interface could not read."""

    def violations(self, *, at: datetime) -> Iterator[Violation]:
        """Every violation, those of unreadable fields first."""
        yield from self.unreadable
        yield from self._names()
        yield from required("created_at", self.created_at)
        yield from plausible("created_at", self.created_at, at)
        yield from self._validation()
        yield from self._producer()
        yield from self._place_read()
        yield from self._fingerprints()
        yield from text("payload_ref", self.payload_ref, most=LONGEST_REFERENCE)
        yield from integer("payload_size_bytes", self.payload_size_bytes, least=0)

    def evidence(self, *, recorded_at: datetime) -> Evidence:
        """The evidence that a report without violations means.

        Raises:
            Invalid: A required field is missing.
        """
        name, dataset, created_at, result = self[:4]
        if name is None or dataset is None or created_at is None or result is None:
            raise Invalid([*self.violations(at=recorded_at)])
        return Evidence(
            evidence_id=EvidenceId(name),
            dataset=DatasetUrn(dataset),
            created_at=to_millisecond(created_at),
            recorded_at=to_millisecond(recorded_at),
            verdict=Verdict(result),
            failed_gates=self.failed_gates,
            reason_codes=self.reason_codes,
            producer=self._parsed_producer(),
            source=self._parsed_source(),
            schema_fingerprint=self.schema_fingerprint or None,
            payload_hash=self.payload_hash or None,
            trace_id=self.trace_id or None,
            span_id=self.span_id or None,
            payload_ref=self.payload_ref or None,
            payload_size_bytes=self.payload_size_bytes,
        )

    def _parsed_producer(self) -> Producer | None:
        if not self.producer_id:
            return None
        confidence = Confidence(self.confidence) if self.confidence else None
        return Producer(self.producer_id, self.producer_version or None, confidence)

    def _parsed_source(self) -> Source | None:
        if not self.topic:
            return None
        return Source(self.topic, self.partition or 0, self.offset or 0)

    def _names(self) -> Iterator[Violation]:
        if not is_evidence_id(self.evidence_id or ""):
            yield Violation("evidence_id", "MALFORMED", "must look like evd-<ulid>")
        if not is_dataset_urn(self.dataset_urn or ""):
            yield Violation("dataset_urn", "MALFORMED", "must look like urn:dp:domain:name:v1")

    def _validation(self) -> Iterator[Violation]:
        yield from required("validation.result", self.result)
        if self.result and self.result not in Verdict.__members__:
            allowed = ", ".join(Verdict)
            yield Violation("validation.result", "UNKNOWN_VALUE", f"must be {allowed}")
        if self.result == Verdict.PASS and self.failed_gates:
            # Most of what passes is not kept: a failure must not get lost among it.
            said = "a PASS has failed at no gate: must be FAIL, or name none"
            yield Violation("validation", "INCONSISTENT", said)
        yield from _few("validation.failed_gates", self.failed_gates)
        for index, gate in enumerate(self.failed_gates[:MOST_REASONS]):
            yield from word(f"validation.failed_gates[{index}]", gate, such_as="G4_CONTRACT")
        yield from _few("validation.reason_codes", self.reason_codes)
        for index, code in enumerate(self.reason_codes[:MOST_REASONS]):
            if not is_failure_signature(code):
                where = f"validation.reason_codes[{index}]"
                yield Violation(where, "MALFORMED", "must look like REASON_CODE:field")

    def _producer(self) -> Iterator[Violation]:
        if self.producer_version or self.confidence:
            yield from required("producer.producer_id", self.producer_id)
        yield from text("producer.producer_id", self.producer_id, most=200)
        yield from text("producer.version", self.producer_version, most=100)
        if self.confidence and self.confidence not in Confidence.__members__:
            allowed = ", ".join(Confidence)
            yield Violation("producer.confidence", "UNKNOWN_VALUE", f"must be {allowed}")

    def _place_read(self) -> Iterator[Violation]:
        if self.partition or self.offset:
            yield from required("source.topic", self.topic)
        yield from text("source.topic", self.topic, most=249)
        yield from integer("source.partition", self.partition, least=0, most=LARGEST_PARTITION)
        yield from integer("source.offset", self.offset, least=0)

    def _fingerprints(self) -> Iterator[Violation]:
        looks = (
            ("fingerprints.schema_fingerprint", self.schema_fingerprint, SHA256, _DIGEST),
            ("fingerprints.payload_hash", self.payload_hash, SHA256, _DIGEST),
            ("otel.trace_id", self.trace_id, TRACE, "32 hexadecimal digits"),
            ("otel.span_id", self.span_id, SPAN, "16 hexadecimal digits"),
        )
        for field, value, pattern, look in looks:
            if value and not pattern.fullmatch(value):
                yield Violation(field, "MALFORMED", f"must look like {look}")


def _few(field: str, values: tuple[str, ...]) -> Iterator[Violation]:
    if len(values) > MOST_REASONS:
        yield Violation(field, "TOO_MANY", f"must have at most {MOST_REASONS} entries")
