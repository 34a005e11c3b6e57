"""The parts of a root-cause context, as GraphQL tells them."""

from datetime import datetime

import strawberry

from application.root_cause import (
    config_changes,
    deploys,
    downstream,
    related_incidents,
    signal_histories,
    writers_and_readers,
)
from domain.root_cause import suspects as suspicion
from entrypoints.graphql.consistency import Found
from entrypoints.graphql.enums import IncidentRelation
from entrypoints.graphql.incidents.part_types import BlastRadius
from entrypoints.graphql.incidents.types import Incident
from entrypoints.graphql.lineage.queries import LineageEntry
from entrypoints.graphql.signals.types import SignalStateSnapshot


@strawberry.type(description="A part that is missing, and why.")
class MissingPart:
    part: str
    code: str = strawberry.field(description="TIMED_OUT, or the code of the problem.")
    reason: str


@strawberry.type(description="Where a part was read, and how old that may be.")
class ContextPart:
    part: str
    source: str
    age_seconds: float | None


@strawberry.type(description="Why a producer is suspected.")
class SuspicionReason:
    weight: int
    sentence: str


@strawberry.type(description="A producer that may have caused it.")
class Suspect:
    producer_id: str
    version: str | None
    weight: int
    reasons: list[SuspicionReason]

    @classmethod
    def of(cls, suspect: suspicion.Suspect) -> "Suspect":
        return cls(
            producer_id=suspect.producer_id,
            version=suspect.version,
            weight=suspect.weight,
            reasons=[
                SuspicionReason(weight=r.weight, sentence=r.sentence) for r in suspect.reasons
            ],
        )


@strawberry.type(description="Who most likely caused it. No proof: read the reasons.")
class LikelyCause:
    verdict: str
    producer_id: str | None = strawberry.field(
        description="Null if nothing points to anybody, or to two as much."
    )
    suspects: list[Suspect] = strawberry.field(description="The likeliest first, at most 10.")
    without: list[str] = strawberry.field(
        description="Parts that would have had a say, and are missing."
    )


@strawberry.type(description="Who writes or reads a dataset.")
class DatasetEntities:
    dataset_urn: str
    entities: list[LineageEntry]
    more: bool = strawberry.field(description="Whether there are more; these are the first.")

    @classmethod
    def of(cls, tied: writers_and_readers.Tied) -> "DatasetEntities":
        return cls(
            dataset_urn=tied.dataset,
            entities=[LineageEntry.of(entry) for entry in tied.entries],
            more=tied.more,
        )


@strawberry.type(description="How far the failures of a dataset reach.")
class DatasetBlastRadius:
    dataset_urn: str
    blast_radius: BlastRadius
    truncated: bool | None = strawberry.field(
        description="Whether there may be more than were counted; null where that was not recorded."
    )

    @classmethod
    def of(cls, dataset: str, reach: downstream.Reach) -> "DatasetBlastRadius":
        radius = BlastRadius.of(reach.radius)
        return cls(dataset_urn=dataset, blast_radius=radius, truncated=reach.truncated)


@strawberry.type(description="A signal's evaluations from an hour before the breach on.")
class SignalHistoryExcerpt:
    dataset_urn: str
    signal_type: str
    breach_start: datetime | None
    evaluations: list[SignalStateSnapshot]
    more: bool = strawberry.field(description="Whether there are more; these are the first.")

    @classmethod
    def of(cls, course: signal_histories.SignalCourse) -> "SignalHistoryExcerpt":
        signal = course.signal
        return cls(
            dataset_urn=signal.dataset,
            signal_type=signal.signal_type,
            breach_start=course.breach_start,
            evaluations=[
                SignalStateSnapshot.of(signal.dataset, signal.signal_type, one)
                for one in course.evaluations
            ],
            more=course.more,
        )


@strawberry.type(description="What was changed about a dataset.")
class ConfigChange:
    dataset_urn: str
    at: datetime
    actor: str
    summary: str

    @classmethod
    def of(cls, change: config_changes.ConfigChange) -> "ConfigChange":
        return cls(dataset_urn=change.dataset, at=change.at, actor=change.by, summary=change.what)


@strawberry.type(description="A lineage spec that somebody made who writes the data.")
class Deploy:
    producer_id: str
    at: datetime
    commit: str
    spec_id: str
    stopped_writing: list[str] = strawberry.field(
        description="Of the incident's datasets and their columns, what it no longer writes."
    )

    @classmethod
    def of(cls, deploy: deploys.Deploy) -> "Deploy":
        return cls(
            producer_id=deploy.producer,
            at=deploy.at,
            commit=deploy.commit,
            spec_id=deploy.spec_id,
            stopped_writing=list(deploy.stopped_writing),
        )


@strawberry.type(
    description="Another incident that is not resolved, and what it has to do with it."
)
class RelatedIncident:
    incident: Incident
    relations: list[IncidentRelation]

    @classmethod
    def of(cls, found: Found[related_incidents.RelatedIncident]) -> "RelatedIncident":
        return cls(
            incident=Incident.of(Found(found.what.card, found.at, found.answer)),
            relations=list(found.what.relations),
        )
