"""What a signal engine must send, and every way in which it may have failed to (S0-232..S0-239)."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from attrs import frozen

from domain.errors import Violation
from domain.ids import (
    EvidenceId,
    FailureSignature,
    is_dataset_urn,
    is_evidence_id,
    is_failure_signature,
    is_signal_type,
)
from domain.signal.evaluation import Confidence, Evaluation, Metrics, Producer, State
from domain.signal.windows import Place
from domain.timestamps import to_millisecond
from domain.validation import integer, plausible, required, share, text, word
from domain.versions import ANY_VERSION

MOST_EVIDENCE = 10
SHORTEST_WINDOW = timedelta(milliseconds=1)


@frozen
class ReportedMetrics:
    evidence_count: int | None = None
    pass_count: int | None = None
    fail_count: int | None = None


@frozen
class ReportedProducer:
    producer_id: str | None = None
    version: str | None = None
    confidence: str | None = None


@frozen
class SignalReport:
    """An update as it was sent: nothing is checked yet, anything may be missing."""

    dataset_urn: str
    signal_type: str
    state: str | None = None
    score: float | None = None
    slo_threshold: float | None = None
    window_start: datetime | None = None
    window_end: datetime | None = None
    window_type: str | None = None
    metrics: ReportedMetrics | None = None
    failure_signature: str | None = None
    top_producer: ReportedProducer | None = None
    evidence_sample: tuple[str, ...] = ()
    evaluated_at: datetime | None = None
    expected_version: int | None = None

    def violations(self, *, at: datetime) -> Sequence[Violation]:
        """Everything that is wrong with the report by itself."""
        return [
            *self._names(),
            *self._verdict(),
            *self._window(at),
            *self._metrics(),
            *self._explanation(),
            *self._version(),
        ]

    @property
    def window(self) -> Place:
        """The window of a report without violations."""
        assert self.window_start
        assert self.window_end
        return (to_millisecond(self.window_end), to_millisecond(self.window_start))

    def evaluation(self, *, evaluated_at: datetime) -> Evaluation:
        """The evaluation that a report without violations means."""
        assert self.metrics
        end, start = self.window
        return Evaluation(
            state=State(self.state or ""),
            score=float(self.score or 0),
            window_start=start,
            window_end=end,
            metrics=Metrics(
                self.metrics.evidence_count or 0,
                self.metrics.pass_count or 0,
                self.metrics.fail_count or 0,
            ),
            evaluated_at=to_millisecond(evaluated_at),
            window_type=self.window_type,
            slo_threshold=self.slo_threshold,
            failure_signature=FailureSignature(self.failure_signature)
            if self.failure_signature
            else None,
            top_producer=self._producer(),
            evidence_sample=tuple(map(EvidenceId, self.evidence_sample)),
        )

    def _producer(self) -> Producer | None:
        told = self.top_producer
        if told is None or not told.producer_id:
            return None
        confidence = Confidence(told.confidence) if told.confidence else None
        return Producer(told.producer_id, told.version, confidence)

    def _names(self) -> Iterator[Violation]:
        if not is_dataset_urn(self.dataset_urn):
            yield Violation("dataset_urn", "MALFORMED", "must look like urn:dp:domain:name:v1")
        if not is_signal_type(self.signal_type):
            yield Violation(
                "signal_type",
                "UNKNOWN_VALUE",
                "must be FRESHNESS, VOLUME, CONTRACT_COMPLIANCE, SCHEMA, PII, LATENCY"
                " or CUSTOM_<NAME>",
            )

    def _verdict(self) -> Iterator[Violation]:
        yield from required("state", self.state)
        if self.state is not None and self.state not in State.__members__:
            yield Violation("state", "UNKNOWN_VALUE", f"must be {', '.join(State)}")
        yield from required("score", self.score)
        yield from share("score", self.score)
        yield from share("slo_threshold", self.slo_threshold)

    def _window(self, at: datetime) -> Sequence[Violation]:
        return [
            *required("window_start", self.window_start),
            *required("window_end", self.window_end),
            *plausible("window_start", self.window_start, at),
            *plausible("window_end", self.window_end, at),
            *plausible("evaluated_at", self.evaluated_at, at),
            *_in_order(self.window_start, self.window_end),
            *word("window_type", self.window_type),
        ]

    def _metrics(self) -> Iterator[Violation]:
        yield from required("metrics", self.metrics)
        if self.metrics is None:
            return
        counts = self.metrics
        named = (
            ("metrics.evidence_count", counts.evidence_count),
            ("metrics.pass_count", counts.pass_count),
            ("metrics.fail_count", counts.fail_count),
        )
        for field, count in named:
            yield from required(field, count)
            yield from integer(field, count, least=0)
        told = (counts.pass_count or 0) + (counts.fail_count or 0)
        if counts.evidence_count is not None and told > counts.evidence_count >= 0:
            yield Violation(
                "metrics", "INCONSISTENT", "pass_count + fail_count exceeds evidence_count"
            )

    def _explanation(self) -> Iterator[Violation]:
        if self.state in (State.WARNING, State.CRITICAL):
            yield from required("failure_signature", self.failure_signature)
        if self.failure_signature and not is_failure_signature(self.failure_signature):
            yield Violation("failure_signature", "MALFORMED", "must look like REASON_CODE:field")
        if self.state in State.__members__ and self.state != State.OK:
            yield from required("top_producer", self.top_producer)
            yield from required("evidence_sample", self.evidence_sample or None)
        yield from self._top_producer()
        yield from _evidence(self.evidence_sample)

    def _top_producer(self) -> Iterator[Violation]:
        told = self.top_producer
        if told is None:
            return
        yield from required("top_producer.producer_id", told.producer_id or None)
        yield from text("top_producer.producer_id", told.producer_id, most=200)
        yield from text("top_producer.version", told.version, most=100)
        if told.confidence is not None and told.confidence not in Confidence.__members__:
            allowed = ", ".join(Confidence)
            yield Violation("top_producer.confidence", "UNKNOWN_VALUE", f"must be {allowed}")

    def _version(self) -> Iterator[Violation]:
        yield from required("expected_version", self.expected_version)
        if self.expected_version is not None and self.expected_version < ANY_VERSION:
            yield Violation(
                "expected_version", "OUT_OF_RANGE", "must be -1 (any), 0 (new) or the version"
            )


def _in_order(start: datetime | None, end: datetime | None) -> Sequence[Violation]:
    if start is None or end is None or start.utcoffset() is None or end.utcoffset() is None:
        return ()
    if end - start < SHORTEST_WINDOW:
        return (Violation("window_end", "INVERTED", "must be later than window_start"),)
    return ()


def _evidence(sample: Iterable[str]) -> Iterator[Violation]:
    ids = list(sample)
    if len(ids) > MOST_EVIDENCE:
        yield Violation("evidence_sample", "TOO_MANY", f"must have at most {MOST_EVIDENCE} ids")
    for index, name in enumerate(ids[:MOST_EVIDENCE]):
        if not is_evidence_id(name):
            yield Violation(f"evidence_sample[{index}]", "MALFORMED", "must look like evd-<ulid>")
