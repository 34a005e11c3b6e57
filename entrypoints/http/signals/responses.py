"""Signals as callers see them."""

from typing import Annotated

from pydantic import AliasPath, BaseModel, BeforeValidator, Field

from application.reads.demand import Answer
from application.reads.position import Position
from application.signals.queries import DatasetHealth
from domain.dataset.config import DatasetStatus
from domain.dataset.tier import Tier
from domain.signal.evaluation import Confidence, Producer, SignalStateEnum
from entrypoints.http.datasets.responses import NextPage
from entrypoints.http.description.examples import DATASET
from entrypoints.http.incidents.responses import IncidentSummary
from entrypoints.http.validation.timestamps import Stamp, UnixSeconds
from entrypoints.http.views import PositionToken, ViewResponse


class SignalMetrics(ViewResponse):
    evidence_count: int
    pass_count: int
    fail_count: int


class StandingAnswer(ViewResponse):
    """How a signal stands."""

    dataset_urn: str = Field(validation_alias="dataset", examples=[DATASET])
    signal_type: str
    state: SignalStateEnum
    previous_state: SignalStateEnum | None
    state_changed_at: Stamp
    breach_start: Stamp | None


def _evaluated(name: str) -> AliasPath:
    return AliasPath("evaluation", name)


def _of_producer(name: str) -> BeforeValidator:
    return BeforeValidator(lambda one: getattr(one, name) if isinstance(one, Producer) else one)


class EvaluationAnswer(ViewResponse):
    """What was found out about a window."""

    score: float = Field(validation_alias=_evaluated("score"))
    slo_threshold: float | None = Field(validation_alias=_evaluated("slo_threshold"))
    window_start: Stamp = Field(validation_alias=_evaluated("window_start"))
    window_end: Stamp = Field(validation_alias=_evaluated("window_end"))
    window_type: str | None = Field(validation_alias=_evaluated("window_type"))
    metrics: SignalMetrics = Field(validation_alias=_evaluated("metrics"))
    failure_signature: str | None = Field(validation_alias=_evaluated("failure_signature"))
    top_producer: Annotated[str | None, _of_producer("producer_id")] = Field(
        validation_alias=_evaluated("top_producer")
    )
    top_producer_version: Annotated[str | None, _of_producer("version")] = Field(
        validation_alias=_evaluated("top_producer")
    )
    top_producer_confidence: Annotated[Confidence | None, _of_producer("confidence")] = Field(
        validation_alias=_evaluated("top_producer")
    )
    evidence_sample: list[str] = Field(validation_alias=_evaluated("evidence_sample"))


# Bases give their fields from right to left, so that the order of the design comes out.
class SignalState(EvaluationAnswer, StandingAnswer):
    """A signal now: its latest window, and how it came to stand there."""

    incident_id: str | None
    tier: Tier
    owner_team: str
    last_updated: Stamp
    ttl: UnixSeconds | None = Field(
        validation_alias="ends_at", description="When it is forgotten, in seconds since 1970."
    )
    version: int


class SignalListResponse(BaseModel):
    signals: list[SignalState]
    next_page_token: NextPage = None


class DatasetSignalsResponse(BaseModel):
    dataset_urn: str
    signals: list[SignalState]


class PastEvaluation(EvaluationAnswer):
    state: SignalStateEnum = Field(validation_alias=_evaluated("state"))
    evaluated_at: Stamp = Field(validation_alias=_evaluated("evaluated_at"))
    recorded_at: Stamp
    was_current: bool = Field(description="Whether it was about the latest window back then.")
    version: int = Field(description="The version of the signal that it made.")
    position: PositionToken


class SignalHistoryResponse(BaseModel):
    """The evaluations in the order they were accepted."""

    evaluations: list[PastEvaluation]
    next_page_token: NextPage = None


class StateCounts(BaseModel):
    OK: int = 0
    WARNING: int = 0
    CRITICAL: int = 0
    UNKNOWN: int = 0


class DatasetHealthResponse(BaseModel):
    """How a dataset is: the worst of its signals; UNKNOWN when it has none."""

    dataset_urn: str
    state: SignalStateEnum
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
            counts=StateCounts(**{state.value: states.count(state) for state in SignalStateEnum}),
            signals=[SignalState.model_validate(card) for card in health.signals],
            incidents=[IncidentSummary.model_validate(card) for card in health.incidents],
            position=Position(answer.position).token(),
            age_seconds=answer.age_seconds,
        )
