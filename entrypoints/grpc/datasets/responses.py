"""Datasets as callers see them."""

from application.datasets.commands import DatasetChanged
from application.datasets.read_model import DatasetView
from domain.dataset import settings as domain
from domain.dataset.settings import Settings
from entrypoints.grpc.fields.fields import told
from entrypoints.grpc.fields.timestamps import timestamp
from entrypoints.grpc.messages import datasets_pb2 as pb
from entrypoints.grpc.messages.common_pb2 import AnswerInfo


def dataset_told(card: DatasetView, answer: AnswerInfo | None = None) -> pb.Dataset:
    return pb.Dataset(
        dataset_urn=card.dataset,
        status=card.status,
        settings=settings_told(card.settings),
        config_version=card.config_version,
        created_at=timestamp(card.created_at),
        updated_at=timestamp(card.updated_at),
        updated_by=card.updated_by,
        retired_at=told(card.retired_at, timestamp),
        archived_at=told(card.archived_at, timestamp),
        answer=answer,
    )


def change_told(changed: DatasetChanged, answer: AnswerInfo) -> pb.Dataset:
    """A dataset as it was decided, of which no more is known yet."""
    config = changed.config
    return pb.Dataset(
        dataset_urn=changed.dataset,
        status=config.status,
        settings=settings_told(config.settings),
        config_version=config.config_version,
        answer=answer,
    )


def settings_told(settings: Settings) -> pb.DatasetSettings:
    return pb.DatasetSettings(
        display_name=settings.display_name,
        description=settings.description,
        tier=settings.tier,
        owner_team=settings.owner_team,
        owner_email=settings.owner_email,
        oncall_rotation=settings.oncall_rotation,
        source=told(settings.source, _source),
        schema_binding=told(settings.schema_binding, schema_told),
        contract_binding=told(settings.contract_binding, contract_told),
        slos=told(settings.slos, _slos),
        pii_policy=told(settings.pii_policy, pii_told),
        retention_days=settings.retention_days,
        incident_policy=told(settings.incident_policy, _incidents),
    )


def _source(source: domain.Source) -> pb.DataSource:
    return pb.DataSource(type=source.type, topic=source.topic, cluster=source.cluster)


def schema_told(binding: domain.SchemaBinding) -> pb.SchemaBinding:
    return pb.SchemaBinding(
        registry=binding.registry,
        schema_name=binding.schema_name,
        schema_id=binding.schema_id,
        version_policy=binding.version_policy,
        compatibility=binding.compatibility,
    )


def contract_told(binding: domain.ContractBinding) -> pb.ContractBinding:
    return pb.ContractBinding(
        contract_id=binding.contract_id,
        required_fields=binding.required_fields,
        field_constraints={
            name: pb.FieldConstraint(type=one.type, min=one.min, max=one.max, pattern=one.pattern)
            for name, one in binding.field_constraints.items()
        },
    )


def _slos(slos: domain.Slos) -> pb.SloConfig:
    return pb.SloConfig(
        freshness=told(slos.freshness, _freshness),
        volume=told(slos.volume, _volume),
        contract_compliance=told(slos.contract_compliance, _compliance),
    )


def _freshness(slo: domain.FreshnessSlo) -> pb.FreshnessSlo:
    return pb.FreshnessSlo(
        max_delay_seconds=slo.max_delay_seconds, evaluation_window=slo.evaluation_window
    )


def _volume(slo: domain.VolumeSlo) -> pb.VolumeSlo:
    return pb.VolumeSlo(
        min_events_per_window=slo.min_events_per_window,
        max_deviation_percent=slo.max_deviation_percent,
        baseline_window_days=slo.baseline_window_days,
    )


def _compliance(slo: domain.ComplianceSlo) -> pb.ComplianceSlo:
    return pb.ComplianceSlo(min_compliance_rate=slo.min_compliance_rate)


def pii_told(policy: domain.PiiPolicy) -> pb.PiiPolicy:
    return pb.PiiPolicy(
        scan_enabled=policy.scan_enabled,
        fields_to_scan=policy.fields_to_scan,
        action_on_detection=policy.action_on_detection,
    )


def _incidents(policy: domain.IncidentPolicy) -> pb.IncidentPolicy:
    return pb.IncidentPolicy(
        auto_resolve=policy.auto_resolve,
        auto_resolve_windows=policy.auto_resolve_windows,
        reopen_on_relapse=policy.reopen_on_relapse,
        end_snoozes=policy.end_snoozes,
    )
