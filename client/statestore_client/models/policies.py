"""What enforcers ask before they let records through."""

from dataclasses import dataclass, field

from statestore_client.enums import DatasetStatus, Fallback, Tier
from statestore_client.models.answers import Answer
from statestore_client.models.datasets import ContractBinding, PiiPolicy, SchemaBinding


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What is to be enforced for a dataset, to be kept for `cache_ttl_seconds`."""

    dataset_urn: str
    schema_binding: SchemaBinding | None
    contract_binding: ContractBinding | None
    pii_policy: PiiPolicy | None
    tier: Tier | None
    owner_team: str | None
    cache_ttl_seconds: int
    config_version: int
    """Goes up with each change; 0 if the dataset is not registered."""
    registered: bool
    fallback_on_miss: Fallback | None
    """What to do when the dataset is not registered."""
    status: DatasetStatus | None
    etag: str
    not_modified: bool
    """Whether the policy that the caller knows is still right; then nothing else is told."""
    is_fallback: bool = False
    """Whether nothing could be asked: this is the default, TIER_3 and nothing to check. Then
    `registered` and `fallback_on_miss` say nothing."""
    stale_seconds: float | None = None
    """How long ago this was read, if the store does not answer and a copy is shown."""
    answer: Answer | None = field(default=None, compare=False)
