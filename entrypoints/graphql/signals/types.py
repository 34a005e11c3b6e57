"""Signals as dashboards see them (S0-181..S0-183)."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import strawberry

from application.reads.position import Position
from application.signals.history import PastEvaluation
from application.signals.read_model import SignalView
from domain.ids import DatasetUrn, IncidentId, SignalType
from entrypoints.graphql.answer_info import AnswerInfo
from entrypoints.graphql.consistency import Found
from entrypoints.graphql.datasets.types import Dataset
from entrypoints.graphql.enums import SignalStateEnum, Tier
from entrypoints.graphql.evidence.types import AT_FIRST, Evidence, sampled
from entrypoints.graphql.optional import told
from entrypoints.graphql.signals.evaluation_types import EvaluationAnswer, evaluated

if TYPE_CHECKING:
    from entrypoints.graphql.incidents.types import Incident

LazyIncident = Annotated["Incident", strawberry.lazy("entrypoints.graphql.incidents.types")]


@strawberry.type(description="A signal: its latest window, and how it came to stand there.")
class SignalState(EvaluationAnswer):
    found: strawberry.Private[Found[SignalView]]
    dataset_urn: str
    signal_type: str
    state: SignalStateEnum
    previous_state: SignalStateEnum | None
    state_changed_at: datetime
    breach_start: datetime | None
    incident_id: str | None
    tier: Tier
    owner_team: str
    last_updated: datetime
    version: int = strawberry.field(description="How many evaluations were accepted.")

    @strawberry.field(description="What the answer is about.")
    def answer(self) -> AnswerInfo:
        return AnswerInfo.of(self.found.answer)

    @strawberry.field(
        description="What is agreed about its dataset; null if that is not registered."
    )
    async def dataset(self) -> Dataset | None:
        found = await self.found.at.datasets.load(DatasetUrn(self.dataset_urn))
        return told(found, Dataset.of)

    @strawberry.field(description="The incident that is open for it; null if there is none.")
    async def incident(self) -> LazyIncident | None:
        from entrypoints.graphql.incidents.types import Incident

        if self.incident_id is None:
            return None
        found = await self.found.at.incidents.load(IncidentId(self.incident_id))
        return told(found, Incident.of)

    @strawberry.field(description="The first of its evidenceSample, without what is not kept.")
    async def evidence(self, first: int | None = AT_FIRST) -> list[Evidence]:
        return await sampled(self.found.at, self.evidence_sample, first)

    @classmethod
    def of(cls, found: Found[SignalView]) -> "SignalState":
        card = found.what
        return cls(
            found=found,
            dataset_urn=card.dataset,
            signal_type=card.signal_type,
            state=card.state,
            previous_state=card.previous_state,
            state_changed_at=card.state_changed_at,
            breach_start=card.breach_start,
            incident_id=card.incident_id,
            tier=card.tier,
            owner_team=card.owner_team,
            last_updated=card.last_updated,
            version=card.version,
            **evaluated(card.evaluation),
        )


@strawberry.type(description="An evaluation of a signal, as it stands in the history.")
class SignalStateSnapshot(EvaluationAnswer):
    dataset_urn: str
    signal_type: str
    state: SignalStateEnum
    evaluated_at: datetime
    recorded_at: datetime
    was_current: bool = strawberry.field(
        description="Whether it was about the latest window back then."
    )
    version: int = strawberry.field(description="The version of the signal that it made.")
    position: str = strawberry.field(description="Where it stands in the log; an opaque token.")

    @classmethod
    def of(
        cls, dataset: DatasetUrn, signal_type: SignalType, past: PastEvaluation
    ) -> "SignalStateSnapshot":
        return cls(
            dataset_urn=dataset,
            signal_type=signal_type,
            state=past.evaluation.state,
            evaluated_at=past.evaluation.evaluated_at,
            recorded_at=past.recorded_at,
            was_current=past.was_current,
            version=past.version,
            position=Position(past.position).token(),
            **evaluated(past.evaluation),
        )
