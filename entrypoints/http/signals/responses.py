"""Signals as callers see them."""

from pydantic import BaseModel, Field

from application.reads.demand import Answer
from application.reads.position import Position
from application.signals.history import PastEvaluation
from application.signals.queries import DatasetHealth
from application.signals.read_model import SignalView
from domain.dataset.config import DatasetStatus
from domain.dataset.tier import Tier
from domain.signal.evaluation import Confidence, Evaluation, State
from domain.timestamps import stamp
from entrypoints.http.datasets.responses import NextPage
from entrypoints.http.description.examples import DATASET
from entrypoints.http.incidents.responses import IncidentSummary
from entrypoints.http.validation.timestamps import Stamp


class MetricsAnswer(BaseModel):
    evidence_count: int
    pass_count: int
    fail_count: int


class StandingAnswer(BaseModel):
    """How a signal stands."""

    dataset_urn: str = Field(examples=[DATASET])
    signal_type: str
    state: State
    previous_state: State | None
    state_changed_at: Stamp
    breach_start: Stamp | None


class EvaluationAnswer(BaseModel):
    """What was found out about a window."""

    score: float
    slo_threshold: float | None
    window_start: Stamp
    window_end: Stamp
    window_type: str | None
    metrics: MetricsAnswer
    failure_signature: str | None
    top_producer: str | None
    top_producer_version: str | None
    top_producer_confidence: Confidence | None
    evidence_sample: list[str]


def _evaluated(evaluation: Evaluation) -> dict[str, object]:
    producer, metrics = evaluation.top_producer, evaluation.metrics
    return {
        "score": evaluation.score,
        "slo_threshold": evaluation.slo_threshold,
        "window_start": stamp(evaluation.window_start),
        "window_end": stamp(evaluation.window_end),
        "window_type": evaluation.window_type,
        "metrics": MetricsAnswer(
            evidence_count=metrics.evidence_count,
            pass_count=metrics.pass_count,
            fail_count=metrics.fail_count,
        ),
        "failure_signature": evaluation.failure_signature,
        "top_producer": producer.producer_id if producer else None,
        "top_producer_version": producer.version if producer else None,
        "top_producer_confidence": producer.confidence if producer else None,
        "evidence_sample": list(evaluation.evidence_sample),
    }


# Bases give their fields from right to left, so that the order of the design comes out.
class SignalState(EvaluationAnswer, StandingAnswer):
    """A signal now: its latest window, and how it came to stand there."""

    incident_id: str | None
    tier: Tier
    owner_team: str
    last_updated: Stamp
    ttl: int | None = Field(description="When it is forgotten, in seconds since 1970.")
    version: int

    @classmethod
    def of(cls, card: SignalView) -> "SignalState":
        return cls.model_validate(
            {
                "dataset_urn": card.dataset,
                "signal_type": card.signal_type,
                "state": card.state,
                "previous_state": card.previous_state,
                "state_changed_at": stamp(card.state_changed_at),
                "breach_start": stamp(card.breach_start) if card.breach_start else None,
                **_evaluated(card.evaluation),
                "incident_id": card.incident_id,
                "tier": card.tier,
                "owner_team": card.owner_team,
                "last_updated": stamp(card.last_updated),
                "ttl": int(card.ends_at.timestamp()) if card.ends_at else None,
                "version": card.version,
            }
        )


class SignalListResponse(BaseModel):
    signals: list[SignalState]
    next_page_token: NextPage = None


class DatasetSignalsResponse(BaseModel):
    dataset_urn: str
    signals: list[SignalState]


class PastEvaluationAnswer(EvaluationAnswer):
    state: State
    evaluated_at: Stamp
    recorded_at: Stamp
    was_current: bool = Field(description="Whether it was about the latest window back then.")
    version: int = Field(description="The version of the signal that it made.")
    position: str

    @classmethod
    def of(cls, past: PastEvaluation) -> "PastEvaluationAnswer":
        return cls.model_validate(
            {
                **_evaluated(past.evaluation),
                "state": past.evaluation.state,
                "evaluated_at": stamp(past.evaluation.evaluated_at),
                "recorded_at": stamp(past.recorded_at),
                "was_current": past.was_current,
                "version": past.version,
                "position": Position(past.position).token(),
            }
        )


class SignalHistoryResponse(BaseModel):
    """The evaluations in the order they were accepted."""

    evaluations: list[PastEvaluationAnswer]
    next_page_token: NextPage = None


class StateCounts(BaseModel):
    OK: int = 0
    WARNING: int = 0
    CRITICAL: int = 0
    UNKNOWN: int = 0


class DatasetHealthResponse(BaseModel):
    """How a dataset is: the worst of its signals; UNKNOWN when it has none."""

    dataset_urn: str
    state: State
    status: DatasetStatus = Field(json_schema_extra={"enum": ["ACTIVE", "RETIRED"]})
    tier: Tier
    owner_team: str
    counts: StateCounts
    signals: list[SignalState]
    incidents: list[IncidentSummary] = Field(description="Those that are open, the worst first.")
    position: str = Field(description="How far in the log this was read; an opaque token.")
    age_seconds: float | None = Field(
        description="How old what was read may be at most; null if that is not known."
    )

    @classmethod
    def of(cls, answer: Answer[DatasetHealth]) -> "DatasetHealthResponse":
        health = answer.value
        states = [signal.state for signal in health.signals]
        return cls(
            dataset_urn=health.dataset.dataset,
            state=health.state,
            status=health.dataset.status,
            tier=health.dataset.settings.tier,
            owner_team=health.dataset.settings.owner_team,
            counts=StateCounts(**{state.value: states.count(state) for state in State}),
            signals=[SignalState.of(card) for card in health.signals],
            incidents=[IncidentSummary.summing_up(card) for card in health.incidents],
            position=Position(answer.position).token(),
            age_seconds=answer.age_seconds,
        )
