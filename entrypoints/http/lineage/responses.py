"""Who writes and reads what, and what lies downstream, in JSON."""

from collections.abc import Mapping

from pydantic import AliasPath, BaseModel, Field

from application.lineage import read_model
from application.lineage.impact import Impact
from application.reads.paging import Page
from domain.dataset.tier import Tier
from domain.ids import DatasetUrn, Place
from domain.lineage.impact import AffectedDataset
from domain.lineage.lineage import EntityType
from domain.signal.evaluation import Confidence
from entrypoints.http.validation.timestamps import Stamp
from entrypoints.http.views import ViewResponse


class LineageEntry(ViewResponse):
    """An entity that writes or reads. Where several specs say so, the surest and latest counts."""

    entity_id: str = Field(validation_alias=AliasPath("entity", "entity_id"))
    entity_name: str = Field(validation_alias=AliasPath("entity", "name"))
    entity_type: EntityType = Field(validation_alias=AliasPath("entity", "type"))
    confidence: Confidence
    spec_id: str
    commit: str
    updated_at: Stamp
    expires_at: Stamp = Field(
        validation_alias="ends_at", description="When the last of the specs that say so ends."
    )
    other_spec_ids: list[str] = Field(
        validation_alias="other_specs", description="Specs of other producers that say the same."
    )


class WritersResponse(BaseModel):
    urn: str = Field(description="The dataset or column.")
    writers: list[LineageEntry]
    next_page_token: str | None

    @classmethod
    def of(
        cls, place: Place, page: Page[read_model.LineageEntry], token: str | None
    ) -> "WritersResponse":
        entries = [LineageEntry.model_validate(entry) for entry in page.items]
        return cls(urn=place, writers=entries, next_page_token=token)


class ReadersResponse(BaseModel):
    urn: str = Field(description="The dataset or column.")
    readers: list[LineageEntry]
    next_page_token: str | None

    @classmethod
    def of(
        cls, place: Place, page: Page[read_model.LineageEntry], token: str | None
    ) -> "ReadersResponse":
        entries = [LineageEntry.model_validate(entry) for entry in page.items]
        return cls(urn=place, readers=entries, next_page_token=token)


class ImpactedEntity(ViewResponse):
    entity_id: str = Field(validation_alias=AliasPath("entity", "entity_id"))
    entity_name: str = Field(validation_alias=AliasPath("entity", "name"))
    entity_type: EntityType = Field(validation_alias=AliasPath("entity", "type"))
    distance: int = Field(description="1 for direct readers, 2 for readers of what they write, …")
    via: str = Field(description="The dataset or column that it reads, on the shortest way.")
    confidence: Confidence = Field(description="That of the least sure step on the way.")


class ImpactedDataset(BaseModel):
    dataset_urn: str
    tier: Tier | None = Field(description="Null when the dataset is not registered.")
    columns: list[str] | None = Field(
        description="The columns that are affected; null when it is the dataset as a whole."
    )
    distance: int
    through: str = Field(description="The entity that writes it, on the shortest way.")
    confidence: Confidence

    @classmethod
    def of(cls, affected: AffectedDataset, tiers: Mapping[DatasetUrn, Tier]) -> "ImpactedDataset":
        return cls(
            dataset_urn=affected.dataset,
            tier=tiers.get(affected.dataset),
            columns=None if affected.columns is None else list(affected.columns),
            distance=affected.distance,
            through=affected.through,
            confidence=affected.confidence,
        )


class ImpactResponse(BaseModel):
    """What lies downstream, the nearest first."""

    dataset_urn: str
    field: str | None
    depth: int
    entities: list[ImpactedEntity]
    datasets: list[ImpactedDataset]
    truncated: bool = Field(description="Whether there was too much, and some was left out.")
    depth_limit_reached: bool = Field(
        description="Whether there are datasets left whose readers were not looked at."
    )

    @classmethod
    def of(
        cls, dataset: DatasetUrn, field: str | None, depth: int, impact: Impact
    ) -> "ImpactResponse":
        return cls(
            dataset_urn=dataset,
            field=field,
            depth=depth,
            entities=[ImpactedEntity.model_validate(one) for one in impact.entities],
            datasets=[ImpactedDataset.of(one, impact.tiers) for one in impact.datasets],
            truncated=impact.truncated,
            depth_limit_reached=impact.depth_limit_reached,
        )
