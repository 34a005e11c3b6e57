"""The parts of a root-cause context, in JSON."""

from typing import Any, TypeVar

from pydantic import AliasPath, BaseModel, Field

from application.root_cause import related_incidents
from application.root_cause.downstream import Radii
from application.root_cause.part import Part
from application.root_cause.related_incidents import IncidentRelation, Related
from entrypoints.http.evidence.responses import Evidence
from entrypoints.http.incidents.responses import BlastRadius, IncidentSummary
from entrypoints.http.lineage.responses import LineageEntry
from entrypoints.http.signals.responses import PastEvaluation
from entrypoints.http.validation.timestamps import Stamp
from entrypoints.http.views import ViewResponse

T = TypeVar("T")


class ContextPart(BaseModel):
    source: str = Field(description="Where it was read.")
    age_seconds: float | None = Field(
        description="How old what was read may be at most; null if that is not known."
    )


def read_from(part: Part[T]) -> dict[str, Any]:
    return {"source": part.source, "age_seconds": part.age_seconds}


class EvidencePart(ContextPart):
    evidence: list[Evidence]
    missing_ids: list[str] = Field(
        description="Named by the incident, but nowhere: never sent, not sampled, or forgotten."
    )
    unavailable_ids: list[str] = Field(
        description="Not at hand, and the archive did not answer in time: they may be there or not."
    )


class DatasetEntities(ViewResponse):
    dataset_urn: str = Field(validation_alias="dataset")
    entities: list[LineageEntry] = Field(validation_alias="entries")
    more: bool = Field(description="Whether there are more; these are the first.")


class LineagePart(ContextPart):
    datasets: list[DatasetEntities]


class DatasetBlastRadius(BlastRadius):
    dataset_urn: str
    truncated: bool | None = Field(
        description="Whether there may be more than were counted; null where that was not recorded."
    )


class BlastRadiusPart(ContextPart):
    datasets: list[DatasetBlastRadius]

    @classmethod
    def of(cls, part: Part[Radii], radii: Radii) -> "BlastRadiusPart":
        datasets = [
            DatasetBlastRadius(
                dataset_urn=one,
                truncated=reach.truncated,
                **dict(BlastRadius.model_validate(reach.radius)),
            )
            for one, reach in radii.items()
        ]
        return cls(**read_from(part), datasets=datasets)


class SignalHistoryExcerpt(ViewResponse):
    dataset_urn: str = Field(validation_alias=AliasPath("signal", "dataset"))
    signal_type: str = Field(validation_alias=AliasPath("signal", "signal_type"))
    breach_start: Stamp | None
    evaluations: list[PastEvaluation] = Field(description="In the order of acceptance.")
    more: bool = Field(description="Whether there are more; these are the first.")


class SignalsPart(ContextPart):
    signals: list[SignalHistoryExcerpt]


class ConfigChange(ViewResponse):
    dataset_urn: str = Field(validation_alias="dataset")
    at: Stamp
    actor: str = Field(validation_alias="by")
    summary: str = Field(validation_alias="what")


class ConfigChangesPart(ContextPart):
    changes: list[ConfigChange]
    more: bool = Field(description="Whether there may be earlier ones that were not looked at.")


class Deploy(ViewResponse):
    producer_id: str = Field(validation_alias="producer")
    at: Stamp = Field(description="When the lineage spec was made.")
    commit: str
    spec_id: str
    stopped_writing: list[str] = Field(
        description="Of the incident's datasets and their columns, what it no longer writes."
    )


class DeploysPart(ContextPart):
    deploys: list[Deploy]
    more: bool = Field(description="Whether there may be earlier ones that were not looked at.")


class RelatedIncident(IncidentSummary):
    primary_dataset_urn: str
    relations: list[IncidentRelation]

    @classmethod
    def relating(cls, related: related_incidents.RelatedIncident) -> "RelatedIncident":
        return cls(
            **dict(IncidentSummary.model_validate(related.card)),
            primary_dataset_urn=related.card.dataset,
            relations=list(related.relations),
        )


class RelatedIncidentsPart(ContextPart):
    incidents: list[RelatedIncident]
    more: bool = Field(
        description="Whether there are open incidents that were not looked at, or not in full."
    )

    @classmethod
    def of(cls, part: Part[Related], related: Related) -> "RelatedIncidentsPart":
        incidents = [RelatedIncident.relating(one) for one in related.incidents]
        return cls(**read_from(part), incidents=incidents, more=related.more)
