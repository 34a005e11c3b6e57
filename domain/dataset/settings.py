"""What is agreed about a dataset: where it comes from, what it promises, who answers for it."""

from collections.abc import Mapping
from enum import StrEnum

from attrs import field, frozen

from domain.dataset.tier import Tier


class VersionPolicy(StrEnum):
    LATEST = "LATEST"
    PINNED = "PINNED"


class Compatibility(StrEnum):
    NONE = "NONE"
    BACKWARD = "BACKWARD"
    BACKWARD_TRANSITIVE = "BACKWARD_TRANSITIVE"
    FORWARD = "FORWARD"
    FORWARD_TRANSITIVE = "FORWARD_TRANSITIVE"
    FULL = "FULL"
    FULL_TRANSITIVE = "FULL_TRANSITIVE"


class FieldType(StrEnum):
    STRING = "string"
    NUMBER = "number"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    OBJECT = "object"
    ARRAY = "array"


class PiiAction(StrEnum):
    ALLOW = "ALLOW"
    WARN = "WARN"
    REDACT = "REDACT"
    QUARANTINE = "QUARANTINE"
    BLOCK = "BLOCK"


@frozen
class Source:
    type: str
    topic: str | None = None
    cluster: str | None = None


@frozen
class SchemaBinding:
    registry: str
    schema_name: str
    schema_id: str | None = None
    version_policy: VersionPolicy = VersionPolicy.LATEST
    compatibility: Compatibility = Compatibility.BACKWARD


@frozen
class FieldConstraint:
    type: FieldType | None = None
    min: float | None = None
    max: float | None = None
    pattern: str | None = None


@frozen
class ContractBinding:
    contract_id: str
    required_fields: tuple[str, ...] = ()
    field_constraints: Mapping[str, FieldConstraint] = field(factory=dict)


@frozen
class FreshnessSlo:
    max_delay_seconds: int
    evaluation_window: str | None = None


@frozen
class VolumeSlo:
    min_events_per_window: int
    max_deviation_percent: float | None = None
    baseline_window_days: int | None = None


@frozen
class ComplianceSlo:
    min_compliance_rate: float


@frozen
class Slos:
    freshness: FreshnessSlo | None = None
    volume: VolumeSlo | None = None
    contract_compliance: ComplianceSlo | None = None


@frozen
class PiiPolicy:
    scan_enabled: bool
    fields_to_scan: tuple[str, ...] = ()
    action_on_detection: PiiAction = PiiAction.WARN


@frozen
class IncidentPolicy:
    """What becomes of the dataset's incidents by itself."""

    auto_resolve: bool = True
    auto_resolve_windows: int = 3
    """How many windows every signal must have been OK for."""
    reopen_on_relapse: bool = True
    end_snoozes: bool = True


@frozen
class Settings:
    """Everything that can be configured. The defaults mean: nothing was said about it."""

    display_name: str = ""
    description: str | None = None
    tier: Tier = Tier.TIER_3
    owner_team: str = ""
    owner_email: str | None = None
    oncall_rotation: str | None = None
    source: Source | None = None
    schema_binding: SchemaBinding | None = None
    contract_binding: ContractBinding | None = None
    slos: Slos | None = None
    pii_policy: PiiPolicy | None = None
    retention_days: int | None = None
    incident_policy: IncidentPolicy | None = None
