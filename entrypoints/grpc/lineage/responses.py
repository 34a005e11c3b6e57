"""Who writes and reads what, and what lies downstream, as callers see it."""

from collections.abc import Mapping

from application.lineage.commands_and_queries import LineageDeclared
from application.lineage.impact import Impact
from application.lineage.read_model import LineageEntry
from application.reads.paging import Page
from domain.dataset.tier import Tier
from domain.ids import DatasetUrn
from domain.lineage.impact import AffectedDataset, AffectedEntity
from entrypoints.grpc.fields.timestamps import timestamp
from entrypoints.grpc.messages import lineage_pb2 as pb
from entrypoints.grpc.messages.common_pb2 import AnswerInfo


def declared_told(declared: LineageDeclared, answer: AnswerInfo) -> pb.DeclareLineageResponse:
    held = declared.in_force
    return pb.DeclareLineageResponse(
        spec_id=declared.spec.spec_id,
        producer_id=declared.spec.producer,
        result=declared.outcome,
        current_spec_id=held.spec_id,
        updated_at=timestamp(held.updated_at),
        expires_at=timestamp(held.ends_at),
        answer=answer,
    )


def entries_told(
    page: Page[LineageEntry], token: str | None, answer: AnswerInfo
) -> pb.ListLineageResponse:
    return pb.ListLineageResponse(
        entries=map(_entry, page.items), next_page_token=token, answer=answer
    )


def _entry(entry: LineageEntry) -> pb.LineageEntry:
    return pb.LineageEntry(
        entity_id=entry.entity.entity_id,
        entity_name=entry.entity.name,
        entity_type=entry.entity.type,
        confidence=entry.confidence,
        spec_id=entry.spec_id,
        commit=entry.commit,
        updated_at=timestamp(entry.updated_at),
        expires_at=timestamp(entry.ends_at),
        other_spec_ids=entry.other_specs,
    )


def downstream_told(
    dataset: DatasetUrn, field: str | None, depth: int, impact: Impact, answer: AnswerInfo
) -> pb.DatasetImpact:
    return pb.DatasetImpact(
        dataset_urn=dataset,
        field=field,
        depth=depth,
        entities=map(_entity, impact.entities),
        datasets=[_dataset(one, impact.tiers) for one in impact.datasets],
        truncated=impact.truncated,
        depth_limit_reached=impact.depth_limit_reached,
        answer=answer,
    )


def _entity(affected: AffectedEntity) -> pb.ImpactedEntity:
    return pb.ImpactedEntity(
        entity_id=affected.entity.entity_id,
        entity_name=affected.entity.name,
        entity_type=affected.entity.type,
        distance=affected.distance,
        via=affected.via,
        confidence=affected.confidence,
    )


def _dataset(affected: AffectedDataset, tiers: Mapping[DatasetUrn, Tier]) -> pb.ImpactedDataset:
    return pb.ImpactedDataset(
        dataset_urn=affected.dataset,
        tier=tiers.get(affected.dataset),
        columns=affected.columns,
        whole=affected.columns is None,
        distance=affected.distance,
        through=affected.through,
        confidence=affected.confidence,
    )
