"""Datasets as callers see them."""

from typing import Annotated

from attrs import fields
from pydantic import BaseModel, ConfigDict, Field

from application.datasets.commands import DatasetChanged
from application.datasets.read_model import DatasetView
from domain.dataset.config import DatasetStatus
from domain.dataset.settings import Settings
from domain.dataset.tier import Tier
from domain.ids import DatasetUrn
from domain.timestamps import stamp
from entrypoints.http.datasets.settings_models import (
    ContractBinding,
    DatasetSource,
    IncidentPolicy,
    PiiPolicy,
    SchemaBinding,
    SLOConfig,
    told,
)
from entrypoints.http.description.examples import DATASET
from entrypoints.http.validation.timestamps import Stamp

NextPage = Annotated[str | None, Field(description="Ask with it for the next page, if any.")]


class DatasetConfig(BaseModel):
    """A dataset and everything that is agreed about it."""

    model_config = ConfigDict(strict=False)

    dataset_urn: str = Field(examples=[DATASET])
    status: DatasetStatus = Field(json_schema_extra={"enum": ["ACTIVE", "RETIRED"]})
    display_name: str
    description: str | None
    tier: Tier
    owner_team: str
    owner_email: str | None
    oncall_rotation: str | None
    source: DatasetSource | None
    schema_binding: SchemaBinding | None
    contract_binding: ContractBinding | None
    slos: SLOConfig | None
    pii_policy: PiiPolicy | None
    retention_days: int | None
    incident_policy: IncidentPolicy | None
    config_version: int = Field(ge=1)
    created_at: Stamp | None = Field(
        description="This and the next two are null right after a change that the register has "
        "not taken in yet."
    )
    updated_at: Stamp | None
    updated_by: str | None
    retired_at: Stamp | None = None
    archived_at: Stamp | None = Field(None, description="When a newer version took its place.")

    @classmethod
    def of(cls, card: DatasetView) -> "DatasetConfig":
        return _config(
            card.dataset,
            card.status,
            card.settings,
            card.config_version,
            created_at=stamp(card.created_at),
            updated_at=stamp(card.updated_at),
            updated_by=card.updated_by,
            retired_at=stamp(card.retired_at) if card.retired_at else None,
            archived_at=stamp(card.archived_at) if card.archived_at else None,
        )

    @classmethod
    def of_change(cls, changed: DatasetChanged) -> "DatasetConfig":
        config = changed.config
        return _config(changed.dataset, config.status, config.settings, config.config_version)


_WHOLE = ("source", "schema_binding", "contract_binding", "slos", "pii_policy", "incident_policy")


def _config(
    dataset: DatasetUrn,
    status: DatasetStatus,
    settings: Settings,
    version: int,
    **known: str | None,
) -> DatasetConfig:
    values = {one.name: getattr(settings, one.name) for one in fields(Settings)}
    values |= {name: told(values[name]) for name in _WHOLE}
    dates = {"created_at": None, "updated_at": None, "updated_by": None, **known}
    return DatasetConfig.model_validate(
        {"dataset_urn": dataset, "status": status, "config_version": version, **values, **dates}
    )


class DatasetListResponse(BaseModel):
    datasets: list[DatasetConfig]
    next_page_token: NextPage = None


class DatasetVersionsResponse(BaseModel):
    """The latest version first."""

    versions: list[DatasetConfig]
    next_page_token: NextPage = None
