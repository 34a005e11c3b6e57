"""What a signal engine found out about one window of a dataset."""

import hashlib
from datetime import datetime
from enum import StrEnum

from attrs import frozen

from domain.ids import EvidenceId, FailureSignature
from domain.timestamps import stamp


class SignalStateEnum(StrEnum):
    OK = "OK"
    WARNING = "WARNING"
    CRITICAL = "CRITICAL"
    UNKNOWN = "UNKNOWN"


IN_BREACH = frozenset({SignalStateEnum.WARNING, SignalStateEnum.CRITICAL})

WORST_FIRST = (
    SignalStateEnum.CRITICAL,
    SignalStateEnum.WARNING,
    SignalStateEnum.UNKNOWN,
    SignalStateEnum.OK,
)


class Confidence(StrEnum):
    HIGH = "HIGH"
    MEDIUM = "MEDIUM"
    LOW = "LOW"


@frozen
class Metrics:
    evidence_count: int
    pass_count: int
    fail_count: int


@frozen
class Producer:
    producer_id: str
    version: str | None = None
    confidence: Confidence | None = None


@frozen
class Evaluation:
    """The verdict on one window. A window may be evaluated again: the later verdict wins."""

    state: SignalStateEnum
    score: float
    window_start: datetime
    window_end: datetime
    metrics: Metrics
    evaluated_at: datetime
    window_type: str | None = None
    slo_threshold: float | None = None
    failure_signature: FailureSignature | None = None
    top_producer: Producer | None = None
    evidence_sample: tuple[EvidenceId, ...] = ()

    def digest(self) -> str:
        """The same for the same content, on every machine and in every release."""
        metrics, producer = self.metrics, self.top_producer
        written = repr(
            (
                self.state.value,
                self.score + 0.0,  # also makes 0.0 of -0.0
                stamp(self.window_start),
                stamp(self.window_end),
                (metrics.evidence_count, metrics.pass_count, metrics.fail_count),
                stamp(self.evaluated_at),
                self.window_type,
                None if self.slo_threshold is None else self.slo_threshold + 0.0,
                self.failure_signature,
                producer and (producer.producer_id, producer.version, _value(producer.confidence)),
                self.evidence_sample,
            )
        )
        return hashlib.blake2b(written.encode(), digest_size=8).hexdigest()


def _value(confidence: Confidence | None) -> str | None:
    return confidence.value if confidence else None
