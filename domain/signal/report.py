"""A signal update as sent, and its validation (S0-232..S0-239)."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from attrs import evolve, frozen

from domain.errors import Invalid, Violation
from domain.ids import (
    DatasetUrn,
    EvidenceId,
    FailureSignature,
    SignalType,
    is_dataset_urn,
    is_evidence_id,
    is_failure_signature,
    is_signal_type,
)
from domain.signal.evaluation import (
    IN_BREACH,
    Confidence,
    Evaluation,
    Metrics,
    Producer,
    SignalStateEnum,
)
from domain.signal.windows import Place
from domain.timestamps import to_millisecond
from domain.validation import integer, plausible, required, share, text, word
from domain.versions import ANY_VERSION
from domain.violations import first_causes

MOST_EVIDENCE = 10
SHORTEST_WINDOW = timedelta(milliseconds=1)


@frozen
class ParsedReport:
    """A signal update that keeps the contract."""

    dataset: DatasetUrn
    signal_type: SignalType
    evaluation: Evaluation
    """Evaluated when the caller says; else now, if it names the version that it follows. An update
    for any version (-1) may be an old message sent again: only the end of its window tells how old
    it is."""
    expected_version: int
    is_latest: bool
    """Whether it was evaluated now, that is after all earlier evaluations of the window."""

    @property
    def window(self) -> Place:
        return (self.evaluation.window_end, self.evaluation.window_start)

    def evaluated(self, at: datetime) -> Evaluation:
        at = to_millisecond(at)
        if at == self.evaluation.evaluated_at:
            return self.evaluation
        return evolve(self.evaluation, evaluated_at=at)


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
    evidence_count: int | None = None
    pass_count: int | None = None
    fail_count: int | None = None
    failure_signature: str | None = None
    producer_id: str | None = None
    producer_version: str | None = None
    confidence: str | None = None
    evidence_sample: tuple[str, ...] = ()
    evaluated_at: datetime | None = None
    expected_version: int | None = None
    unreadable: tuple[Violation, ...] = ()
    """What the interface could not read."""

    @property
    def names_a_signal(self) -> bool:
        return is_dataset_urn(self.dataset_urn) and is_signal_type(self.signal_type)

    def parse(self, *, at: datetime) -> ParsedReport:
        """The valid update that was sent.

        Raises:
            Invalid: With every violation, those of unreadable fields included.
        """
        violations = self._violations(at)
        parsed = None if violations or self.unreadable else self._parsed(at)
        if parsed is None:
            raise Invalid(first_causes(self.unreadable, violations))
        return parsed

    def _parsed(self, at: datetime) -> ParsedReport | None:
        """Nothing if a required field is missing, which is a violation."""
        state, score, version = self.state, self.score, self.expected_version
        start, end, metrics = self.window_start, self.window_end, self._counts()
        if state is None or score is None or version is None:
            return None
        if start is None or end is None or metrics is None:
            return None
        is_latest = self.evaluated_at is None and version != ANY_VERSION
        evaluated_at, signature = self.evaluated_at or end, self.failure_signature
        evaluation = Evaluation(
            state=SignalStateEnum(state),
            score=float(score),
            window_start=to_millisecond(start),
            window_end=to_millisecond(end),
            metrics=metrics,
            evaluated_at=to_millisecond(at if is_latest else evaluated_at),
            window_type=self.window_type,
            slo_threshold=self.slo_threshold,
            failure_signature=FailureSignature(signature) if signature else None,
            top_producer=self._producer(),
            evidence_sample=tuple(map(EvidenceId, self.evidence_sample)),
        )
        dataset, signal_type = DatasetUrn(self.dataset_urn), SignalType(self.signal_type)
        return ParsedReport(dataset, signal_type, evaluation, version, is_latest)

    def _counts(self) -> Metrics | None:
        counted, passed, failed = self.evidence_count, self.pass_count, self.fail_count
        if counted is None or passed is None or failed is None:
            return None
        return Metrics(counted, passed, failed)

    def _producer(self) -> Producer | None:
        if not self.producer_id:
            return None
        confidence = Confidence(self.confidence) if self.confidence else None
        return Producer(self.producer_id, self.producer_version, confidence)

    def _violations(self, at: datetime) -> Sequence[Violation]:
        """Everything that is wrong with what could be read."""
        return [
            *self._names(),
            *self._verdict(),
            *self._window(at),
            *self._metrics(),
            *self._explanation(),
            *self._version(),
        ]

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
        if self.state is not None and self.state not in SignalStateEnum.__members__:
            yield Violation("state", "UNKNOWN_VALUE", f"must be {', '.join(SignalStateEnum)}")
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

    def _metrics(self) -> Sequence[Violation]:
        counted, passed, failed = self.evidence_count, self.pass_count, self.fail_count
        if counted is None and passed is None and failed is None:
            return required("metrics", None)
        violations = (
            *_count("metrics.evidence_count", counted),
            *_count("metrics.pass_count", passed),
            *_count("metrics.fail_count", failed),
        )
        if counted is None or not (passed or 0) + (failed or 0) > counted >= 0:
            return violations
        said = "pass_count + fail_count exceeds evidence_count"
        return (*violations, Violation("metrics", "INCONSISTENT", said))

    def _explanation(self) -> Iterator[Violation]:
        state, signature = self.state, self.failure_signature
        if state in IN_BREACH:
            yield from required("failure_signature", signature)
        if signature and not is_failure_signature(signature):
            yield Violation("failure_signature", "MALFORMED", "must look like REASON_CODE:field")
        is_explained = self._names_a_producer()
        if state in SignalStateEnum.__members__ and state != SignalStateEnum.OK:
            if not is_explained:
                yield from required("top_producer", None)
            yield from required("evidence_sample", self.evidence_sample or None)
        if is_explained:
            yield from self._top_producer()
        if self.evidence_sample:
            yield from _evidence(self.evidence_sample)

    def _names_a_producer(self) -> bool:
        return (
            self.producer_id is not None
            or self.producer_version is not None
            or self.confidence is not None
        )

    def _top_producer(self) -> Iterator[Violation]:
        yield from required("top_producer.producer_id", self.producer_id)
        yield from text("top_producer.producer_id", self.producer_id, most=200)
        yield from text("top_producer.version", self.producer_version, most=100)
        if self.confidence is not None and self.confidence not in Confidence.__members__:
            allowed = ", ".join(Confidence)
            yield Violation("top_producer.confidence", "UNKNOWN_VALUE", f"must be {allowed}")

    def _version(self) -> Iterator[Violation]:
        yield from required("expected_version", self.expected_version)
        if self.expected_version is not None and self.expected_version < ANY_VERSION:
            yield Violation(
                "expected_version", "OUT_OF_RANGE", "must be -1 (any), 0 (new) or the version"
            )


def _count(field: str, value: int | None) -> Sequence[Violation]:
    return required(field, value) or integer(field, value, least=0)


def _in_order(start: datetime | None, end: datetime | None) -> Sequence[Violation]:
    if start is None or end is None or start.utcoffset() is None or end.utcoffset() is None:
        return ()
    if end - start < SHORTEST_WINDOW:
        return (Violation("window_end", "INVERTED", "must be later than window_start"),)
    return ()


def _evidence(sample: Sequence[str]) -> Iterator[Violation]:
    if len(sample) > MOST_EVIDENCE:
        yield Violation("evidence_sample", "TOO_MANY", f"must have at most {MOST_EVIDENCE} ids")
    for index, name in enumerate(sample[:MOST_EVIDENCE]):
        if not is_evidence_id(name):
            yield Violation(f"evidence_sample[{index}]", "MALFORMED", "must look like evd-<ulid>")
