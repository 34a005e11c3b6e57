"""What is agreed about a dataset."""

from operator import itemgetter

import strawberry

from domain.dataset import settings
from entrypoints.graphql.enums import Compatibility, PiiAction, VersionPolicy
from entrypoints.graphql.optional import told


@strawberry.type(description="Where the data comes from.")
class Source:
    type: str
    topic: str | None
    cluster: str | None

    @classmethod
    def of(cls, source: settings.Source) -> "Source":
        return cls(type=source.type, topic=source.topic, cluster=source.cluster)


@strawberry.type(description="Which schema the records follow.")
class SchemaBinding:
    registry: str
    schema_name: str
    schema_id: str | None
    version_policy: VersionPolicy
    compatibility: Compatibility

    @classmethod
    def of(cls, binding: settings.SchemaBinding) -> "SchemaBinding":
        return cls(
            registry=binding.registry,
            schema_name=binding.schema_name,
            schema_id=binding.schema_id,
            version_policy=binding.version_policy,
            compatibility=binding.compatibility,
        )


@strawberry.type(description="What a field's values must be like.")
class FieldConstraint:
    field: str
    type: str | None = strawberry.field(
        description="string, number, integer, boolean, object or array."
    )
    min: float | None
    max: float | None
    pattern: str | None

    @classmethod
    def of(cls, field: str, constraint: settings.FieldConstraint) -> "FieldConstraint":
        return cls(
            field=field,
            type=constraint.type,
            min=constraint.min,
            max=constraint.max,
            pattern=constraint.pattern,
        )


@strawberry.type(description="What is agreed about the records' fields.")
class ContractBinding:
    contract_id: str
    required_fields: list[str]
    field_constraints: list[FieldConstraint] = strawberry.field(
        description="In the order of the fields' names."
    )

    @classmethod
    def of(cls, binding: settings.ContractBinding) -> "ContractBinding":
        constraints = sorted(binding.field_constraints.items(), key=itemgetter(0))
        return cls(
            contract_id=binding.contract_id,
            required_fields=list(binding.required_fields),
            field_constraints=[FieldConstraint.of(name, one) for name, one in constraints],
        )


@strawberry.type(description="How late the data may be.")
class FreshnessSlo:
    max_delay_seconds: float
    evaluation_window: str | None

    @classmethod
    def of(cls, slo: settings.FreshnessSlo) -> "FreshnessSlo":
        return cls(max_delay_seconds=slo.max_delay_seconds, evaluation_window=slo.evaluation_window)


@strawberry.type(description="How much data there must be.")
class VolumeSlo:
    min_events_per_window: float
    max_deviation_percent: float | None
    baseline_window_days: int | None

    @classmethod
    def of(cls, slo: settings.VolumeSlo) -> "VolumeSlo":
        return cls(
            min_events_per_window=slo.min_events_per_window,
            max_deviation_percent=slo.max_deviation_percent,
            baseline_window_days=slo.baseline_window_days,
        )


@strawberry.type(description="How much of the data must keep the contract.")
class ComplianceSlo:
    min_compliance_rate: float

    @classmethod
    def of(cls, slo: settings.ComplianceSlo) -> "ComplianceSlo":
        return cls(min_compliance_rate=slo.min_compliance_rate)


@strawberry.type(description="What the dataset promises.")
class SloConfig:
    freshness: FreshnessSlo | None
    volume: VolumeSlo | None
    contract_compliance: ComplianceSlo | None

    @classmethod
    def of(cls, slos: settings.Slos) -> "SloConfig":
        return cls(
            freshness=told(slos.freshness, FreshnessSlo.of),
            volume=told(slos.volume, VolumeSlo.of),
            contract_compliance=told(slos.contract_compliance, ComplianceSlo.of),
        )


@strawberry.type(description="What is done about personal data in the records.")
class PiiPolicy:
    scan_enabled: bool
    fields_to_scan: list[str]
    action_on_detection: PiiAction

    @classmethod
    def of(cls, policy: settings.PiiPolicy) -> "PiiPolicy":
        return cls(
            scan_enabled=policy.scan_enabled,
            fields_to_scan=list(policy.fields_to_scan),
            action_on_detection=policy.action_on_detection,
        )


@strawberry.type(description="What becomes of the dataset's incidents by itself.")
class IncidentPolicy:
    auto_resolve: bool
    auto_resolve_windows: int
    reopen_on_relapse: bool
    end_snoozes: bool

    @classmethod
    def of(cls, policy: settings.IncidentPolicy) -> "IncidentPolicy":
        return cls(
            auto_resolve=policy.auto_resolve,
            auto_resolve_windows=policy.auto_resolve_windows,
            reopen_on_relapse=policy.reopen_on_relapse,
            end_snoozes=policy.end_snoozes,
        )
