"""Signals: what is reported of a window, and how a signal stands."""

from dataclasses import dataclass, field
from datetime import datetime

from statestore_client.enums import DatasetStatus, IncidentStatus, Severity, State, Tier
from statestore_client.models.answers import ANY_VERSION, Answer, Producer
from statestore_client.transport.translation import called


@dataclass(frozen=True, slots=True)
class Metrics:
    evidence_count: int
    pass_count: int
    fail_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """What was found out about a window.

    WARNING and CRITICAL need a failure signature (`REASON_CODE:field`); whatever is not OK needs
    a producer and evidence. Of two verdicts on one window the later `evaluated_at` counts.
    """

    state: State
    score: float
    window_start: datetime
    window_end: datetime
    metrics: Metrics
    slo_threshold: float | None = None
    window_type: str | None = None
    failure_signature: str | None = None
    top_producer: Producer | None = None
    evidence_sample: tuple[str, ...] = ()
    evaluated_at: datetime | None = None
    breach_start: datetime | None = None
    """Told by the store, which finds it out itself; not heard in reports, as the next one."""
    incident_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalUpdate:
    """`expected_version` is 0 for the first one, n for after version n."""

    dataset_urn: str
    signal_type: str
    evaluation: Evaluation = field(metadata=called("state"))
    expected_version: int = ANY_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalUpdated:
    """How the signal stands after an update."""

    new_version: int
    state: State | None
    previous_state: State | None
    state_changed_at: datetime | None
    breach_start: datetime | None
    is_current: bool
    """Whether the update is about the latest window; a late one may change nothing that shows."""
    position: str
    replayed: bool = False
    """Whether it had been stored before, and was sent again because no answer came."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalState:
    """A signal now: its latest window, and how it came to stand there."""

    dataset_urn: str
    signal_type: str
    evaluation: Evaluation = field(metadata=called("state"))
    version: int
    previous_state: State | None
    state_changed_at: datetime | None
    tier: Tier | None
    owner_team: str | None
    last_updated: datetime | None
    ttl: int | None
    """When it is forgotten, in seconds since 1970; None if never."""
    answer: Answer | None = field(default=None, compare=False)

    @property
    def state(self) -> State:
        return self.evaluation.state


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentSummary:
    incident_id: str
    status: IncidentStatus
    severity: Severity
    title: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetHealth:
    """All signals of a dataset, the worst of their states, and its open incidents."""

    dataset_urn: str
    state: State
    status: DatasetStatus
    tier: Tier | None
    owner_team: str | None
    signals: tuple[SignalState, ...]
    incidents: tuple[IncidentSummary, ...]
    answer: Answer | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PastEvaluation:
    evaluation: Evaluation
    recorded_at: datetime
    was_current: bool
    """Whether it was about the latest window back then."""
    position: str
    version: int
    """Of the signal, from then on."""
