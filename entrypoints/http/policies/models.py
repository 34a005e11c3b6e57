"""Policies in JSON: what enforcers ask, and what they are told."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from application.datasets.policies import FallbackOnMiss, Policy, Unchanged
from domain.dataset.config import DatasetStatus
from domain.dataset.tier import Tier
from entrypoints.http.datasets.requests import Urn
from entrypoints.http.datasets.settings_models import (
    Chosen,
    ContractBinding,
    PiiPolicy,
    SchemaBinding,
    told,
)
from entrypoints.http.description.examples import DATASET, POLICY_LOOKUP
from entrypoints.http.validation.models import Body
from entrypoints.interfaces.names import MOST_NAMES

Tag = Annotated[
    str,
    Field(
        description="Another one whenever the answer is another one; begins with the version.",
        examples=["12-300-warn"],
    ),
]


class DatasetPolicy(BaseModel):
    """What is to be enforced for a dataset. Of one that is not registered, what to do then."""

    model_config = ConfigDict(strict=False)

    dataset_urn: str = Field(examples=[DATASET])
    registered: bool = Field(description="If not, `fallback_on_miss` says what to do.")
    status: DatasetStatus | None = Field(json_schema_extra={"enum": ["ACTIVE", "RETIRED", None]})
    schema_binding: SchemaBinding | None
    contract_binding: ContractBinding | None
    pii_policy: PiiPolicy | None
    tier: Tier | None
    owner_team: str | None
    config_version: int = Field(
        ge=0, description="Goes up with each change; 0 if the dataset is not registered."
    )
    cache_ttl_seconds: int = Field(ge=0, description="For how long the answer may be kept.")
    fallback_on_miss: FallbackOnMiss = Field(
        description="What to do with records of a dataset that is not registered: let them pass "
        "and WARN, let them FAIL, or let them PASS."
    )
    is_fallback: bool = Field(
        description="Whether nothing could be asked: what is told is the default, TIER_3 and "
        "nothing to check. `registered` and `fallback_on_miss` say nothing then."
    )
    stale_seconds: float | None = Field(
        description="How many seconds ago this was read, if the store does not answer and a copy "
        "is shown."
    )
    etag: Tag

    @classmethod
    def of(cls, policy: Policy) -> "DatasetPolicy":
        card, settings = policy.card, policy.card and policy.card.settings
        return cls.model_validate(
            {
                "dataset_urn": policy.dataset,
                "registered": card is not None,
                "status": card and card.status,
                "schema_binding": settings and told(settings.schema_binding),
                "contract_binding": settings and told(settings.contract_binding),
                "pii_policy": settings and told(settings.pii_policy),
                "tier": policy.tier,
                "owner_team": settings and settings.owner_team,
                "config_version": card.config_version if card else 0,
                "cache_ttl_seconds": policy.terms.cache_ttl_seconds,
                "fallback_on_miss": policy.terms.on_miss,
                "is_fallback": policy.is_fallback,
                "stale_seconds": policy.stale_seconds,
                "etag": policy.tag,
            }
        )


class UnchangedPolicy(BaseModel):
    """The answer that the caller has is still right."""

    dataset_urn: str = Field(examples=[DATASET])
    not_modified: Literal[True]
    etag: Tag

    @classmethod
    def of(cls, unchanged: Unchanged) -> "UnchangedPolicy":
        return cls(dataset_urn=unchanged.dataset, not_modified=True, etag=unchanged.tag)


class PolicyKey(Body):
    required = ("dataset_urn",)

    dataset_urn: Urn | None = None
    known_etag: str | None = Field(
        None, description="The `etag` of the answer that the caller has, if it has one."
    )


class PolicyLookupRequest(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [POLICY_LOOKUP]})

    required = ("policies",)

    policies: list[PolicyKey] | None = Field(None, json_schema_extra={"maxItems": MOST_NAMES})
    fallback_on_miss: Annotated[FallbackOnMiss, Chosen] | None = Field(
        None, description="Instead of what the store is set to."
    )


class PolicyLookupResponse(BaseModel):
    policies: list[DatasetPolicy | UnchangedPolicy] = Field(
        description="In the order of the names; in short where `known_etag` is still right."
    )
