"""Datasets: what is agreed about each."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypedDict

from statestore_client.enums import DatasetStatus, PiiAction, Tier, VersionPolicy
from statestore_client.models.answers import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSource:
    type: str
    topic: str | None = None
    cluster: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaBinding:
    registry: str
    schema_name: str
    schema_id: str | None = None
    version_policy: VersionPolicy | None = None
    compatibility: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldConstraint:
    type: str | None = None
    min: float | None = None
    max: float | None = None
    pattern: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractBinding:
    contract_id: str
    required_fields: tuple[str, ...] = ()
    field_constraints: Mapping[str, FieldConstraint] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class FreshnessSlo:
    max_delay_seconds: int
    evaluation_window: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VolumeSlo:
    min_events_per_window: int
    max_deviation_percent: float | None = None
    baseline_window_days: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplianceSlo:
    min_compliance_rate: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SloConfig:
    freshness: FreshnessSlo | None = None
    volume: VolumeSlo | None = None
    contract_compliance: ComplianceSlo | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PiiPolicy:
    scan_enabled: bool
    fields_to_scan: tuple[str, ...] = ()
    action_on_detection: PiiAction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentPolicy:
    """What becomes of the dataset's incidents by itself; all of it, where nothing is said."""

    auto_resolve: bool | None = None
    auto_resolve_windows: int | None = None
    reopen_on_relapse: bool | None = None
    end_snoozes: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetSettings:
    """What is agreed about a dataset."""

    display_name: str
    owner_team: str
    tier: Tier | None = None
    description: str | None = None
    owner_email: str | None = None
    oncall_rotation: str | None = None
    source: DataSource | None = None
    schema_binding: SchemaBinding | None = None
    contract_binding: ContractBinding | None = None
    slos: SloConfig | None = None
    pii_policy: PiiPolicy | None = None
    retention_days: int | None = None
    incident_policy: IncidentPolicy | None = None


class DatasetChanges(TypedDict, total=False):
    """The settings that change: None clears one, what is left out stays."""

    display_name: str
    owner_team: str
    tier: Tier | None
    description: str | None
    owner_email: str | None
    oncall_rotation: str | None
    source: DataSource | None
    schema_binding: SchemaBinding | None
    contract_binding: ContractBinding | None
    slos: SloConfig | None
    pii_policy: PiiPolicy | None
    retention_days: int | None
    incident_policy: IncidentPolicy | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    dataset_urn: str
    status: DatasetStatus
    settings: DatasetSettings
    config_version: int
    created_at: datetime | None
    updated_at: datetime | None
    updated_by: str | None
    retired_at: datetime | None
    archived_at: datetime | None
    """When a newer version took its place."""
    answer: Answer | None = field(default=None, compare=False)
