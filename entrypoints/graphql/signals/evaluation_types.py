"""What was found out about a window, as dashboards see it."""

from datetime import datetime
from typing import Any

import strawberry

from domain.signal.evaluation import Evaluation, Metrics
from entrypoints.graphql.errors import BeyondInt
from entrypoints.graphql.optional import told
from entrypoints.graphql.producers import ProducerInfo

LARGEST_INT = 2**31 - 1
"""An Int of GraphQL has 32 bits, a count may have 53."""

_COUNT = (
    "An error (INT_OVERFLOW) above 2,147,483,647, rather than another number: {exact} can tell it."
)


@strawberry.type(description="How much was looked at, and what of it was well.")
class SignalMetrics:
    exact_evidence_count: float = strawberry.field(description="Exact up to 2^53 - 1.")
    exact_pass_count: float = strawberry.field(description="Exact up to 2^53 - 1.")
    exact_fail_count: float = strawberry.field(description="Exact up to 2^53 - 1.")
    counts: strawberry.Private[Metrics]

    @strawberry.field(description=_COUNT.format(exact="exactEvidenceCount"))
    def evidence_count(self) -> int:
        return as_int(self.counts.evidence_count, instead="exactEvidenceCount")

    @strawberry.field(description=_COUNT.format(exact="exactPassCount"))
    def pass_count(self) -> int:
        return as_int(self.counts.pass_count, instead="exactPassCount")

    @strawberry.field(description=_COUNT.format(exact="exactFailCount"))
    def fail_count(self) -> int:
        return as_int(self.counts.fail_count, instead="exactFailCount")

    @strawberry.field(
        description="passCount / evidenceCount, from 0 to 1. Without evidence there is nothing "
        "that passed: 0, as evidenceCount is."
    )
    def compliance_rate(self) -> float:
        return compliance_rate(self.counts)

    @classmethod
    def of(cls, metrics: Metrics) -> "SignalMetrics":
        return cls(
            exact_evidence_count=float(metrics.evidence_count),
            exact_pass_count=float(metrics.pass_count),
            exact_fail_count=float(metrics.fail_count),
            counts=metrics,
        )


def as_int(count: int, *, instead: str) -> int:
    """Raises BeyondInt above the largest Int; `instead` names the field with the exact count."""
    if count > LARGEST_INT:
        raise BeyondInt(count, instead)
    return count


def compliance_rate(metrics: Metrics) -> float:
    return metrics.pass_count / metrics.evidence_count if metrics.evidence_count else 0.0


@strawberry.type
class EvaluationAnswer:
    """What the latest window and the windows before have in common."""

    score: float
    slo_threshold: float = strawberry.field(
        description="The least score that is well. 0, which every score reaches, if the engine "
        "named none: declaredSloThreshold tells the difference."
    )
    declared_slo_threshold: float | None
    window_start: datetime
    window_end: datetime
    window_type: str | None
    metrics: SignalMetrics
    failure_signature: str | None
    top_producer: ProducerInfo | None
    evidence_sample: list[str]


def evaluated(evaluation: Evaluation) -> dict[str, Any]:
    """The fields above."""
    return {
        "score": evaluation.score,
        "slo_threshold": evaluation.slo_threshold or 0.0,
        "declared_slo_threshold": evaluation.slo_threshold,
        "window_start": evaluation.window_start,
        "window_end": evaluation.window_end,
        "window_type": evaluation.window_type,
        "metrics": SignalMetrics.of(evaluation.metrics),
        "failure_signature": evaluation.failure_signature,
        "top_producer": told(evaluation.top_producer, ProducerInfo.of),
        "evidence_sample": list(evaluation.evidence_sample),
    }
