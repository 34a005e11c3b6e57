"""What callers send to register a dataset or to change its configuration."""

from collections.abc import Set
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from domain.dataset.settings import Settings
from domain.dataset.tier import Tier
from entrypoints.http.datasets.settings_models import (
    Chosen,
    ContractBinding,
    DatasetSource,
    IncidentPolicy,
    Name,
    PiiPolicy,
    SchemaBinding,
    SLOConfig,
)
from entrypoints.http.description.examples import CREATE_DATASET, UPDATE_DATASET
from entrypoints.http.validation.models import Body
from entrypoints.http.validation.names import URN_SCHEMA

Urn = Annotated[str, Field(json_schema_extra=URN_SCHEMA)]
Ignored = Field(None, description="Part of what is read; ignored here.")


class _Settings(Body):
    display_name: Name | None = Field(None, json_schema_extra={"minLength": 1})
    description: Annotated[str, Field(json_schema_extra={"maxLength": 2000})] | None = None
    tier: Annotated[Tier, Chosen] | None = Field(None, description="TIER_3 if nothing is said.")
    owner_team: (
        Annotated[str, Field(json_schema_extra={"pattern": "^[A-Za-z0-9][A-Za-z0-9_.-]*$"})] | None
    ) = Field(None, json_schema_extra={"maxLength": 100}, examples=["orders-platform"])
    owner_email: (
        Annotated[str, Field(json_schema_extra={"pattern": r"^[^@\s]+@[^@\s]+$"})] | None
    ) = Field(None, json_schema_extra={"maxLength": 254})
    oncall_rotation: Annotated[str, Field(json_schema_extra={"maxLength": 100})] | None = None
    source: DatasetSource | None = None
    schema_binding: SchemaBinding | None = None
    contract_binding: ContractBinding | None = None
    slos: SLOConfig | None = None
    pii_policy: PiiPolicy | None = None
    retention_days: int | None = Field(None, json_schema_extra={"minimum": 1, "maximum": 36500})
    incident_policy: IncidentPolicy | None = None

    def settings(self) -> Settings:
        return Settings(
            display_name=self.display_name or "",
            description=self.description,
            tier=self.tier or Tier.TIER_3,
            owner_team=self.owner_team or "",
            owner_email=self.owner_email,
            oncall_rotation=self.oncall_rotation,
            source=self.source.to_domain() if self.source else None,
            schema_binding=self.schema_binding.to_domain() if self.schema_binding else None,
            contract_binding=self.contract_binding.to_domain() if self.contract_binding else None,
            slos=self.slos.to_domain() if self.slos else None,
            pii_policy=self.pii_policy.to_domain() if self.pii_policy else None,
            retention_days=self.retention_days,
            incident_policy=self.incident_policy.to_domain() if self.incident_policy else None,
        )


class CreateDatasetRequest(_Settings):
    model_config = ConfigDict(json_schema_extra={"examples": [CREATE_DATASET]})

    required = ("dataset_urn", "display_name", "owner_team")

    dataset_urn: Urn | None = None


class UpdateDatasetRequest(_Settings):
    """What is left out stays as it is, what is null is cleared.

    What was read with GET can be edited and sent back as it is.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [UPDATE_DATASET]})

    expected_version: int | None = Field(
        None, ge=-1, le=2**53 - 1, description="The version the change was decided on; -1: any."
    )
    config_version: int | None = Field(
        None, le=2**53 - 1, description="Taken for `expected_version` where there is none."
    )
    dataset_urn: str | None = Field(None, description="If sent, the one in the path.")
    status: Any = Ignored
    created_at: Any = Ignored
    updated_at: Any = Ignored
    updated_by: Any = Ignored
    retired_at: Any = Ignored
    archived_at: Any = Ignored

    @property
    def named(self) -> Set[str]:
        """The settings that the request says something about."""
        return self.model_fields_set & _Settings.model_fields.keys()
