"""Lineage: who writes and reads what, and what lies downstream."""

from dataclasses import dataclass, field
from datetime import datetime

from statestore_client.enums import Confidence, EntityType, SpecResult, Tier
from statestore_client.models.answers import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredEntry:
    """An entity, and a dataset or column that it reads or writes."""

    urn: str
    entity_id: str
    entity_name: str
    entity_type: EntityType


@dataclass(frozen=True, slots=True, kw_only=True)
class LineageSpec:
    """What a producer declares; takes the place of its older spec.

    `spec_id` is `lspec:<producer>:<source>:<commit>`; of two the later `updated_at` counts.
    """

    spec_id: str
    confidence: Confidence
    commit: str
    updated_at: datetime
    dataset_reads: tuple[DeclaredEntry, ...] = ()
    dataset_writes: tuple[DeclaredEntry, ...] = ()
    column_reads: tuple[DeclaredEntry, ...] = ()
    column_writes: tuple[DeclaredEntry, ...] = ()
    ttl_seconds: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """What became of a spec."""

    spec_id: str
    producer_id: str
    result: SpecResult
    current_spec_id: str
    updated_at: datetime | None
    expires_at: datetime | None
    answer: Answer | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class LineageEntry:
    entity_id: str
    entity_name: str
    entity_type: EntityType
    confidence: Confidence
    spec_id: str
    commit: str
    updated_at: datetime | None
    expires_at: datetime | None
    other_spec_ids: tuple[str, ...]
    """Specs of other producers that say the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpactedEntity:
    entity_id: str
    entity_name: str
    entity_type: EntityType
    distance: int
    via: str
    """The dataset or column that it reads, on the shortest way."""
    confidence: Confidence


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpactedDataset:
    dataset_urn: str
    tier: Tier | None
    columns: tuple[str, ...]
    whole: bool
    distance: int
    through: str
    """The entity that writes it, on the shortest way."""
    confidence: Confidence


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetImpact:
    """The readers of a dataset, what they write, the readers of that, and so on."""

    dataset_urn: str
    field: str | None
    depth: int
    entities: tuple[ImpactedEntity, ...]
    datasets: tuple[ImpactedDataset, ...]
    truncated: bool
    """Whether there was too much, and some was left out."""
    depth_limit_reached: bool
    """Whether there are datasets left whose readers were not looked at."""
    answer: Answer | None = None
