"""What is kept at hand for reads, and how long a read may take."""

from pydantic import Field, SecretStr, ValidationInfo, field_validator

from application.datasets.policies import FallbackOnMiss
from entrypoints.settings.topic import Topic


class Reading(Topic):
    """Snapshots, caches, Redis, patience, and what enforcers are told."""

    snapshot_every: int = Field(
        200, ge=1, le=100_000, description="A snapshot is taken every so many facts of a stream."
    )
    stream_cache_entries: int = Field(
        20_000, ge=1, le=10_000_000, description="How many streams' states are kept in memory."
    )
    busy_timeout_seconds: float = Field(
        5, ge=0, le=60, description="How long a locked store file is waited for."
    )
    read_wait_seconds: float = Field(
        2,
        ge=0,
        le=60,
        description="How long a read waits for the caller's own last write, or for the position "
        "it asks for.",
    )
    context_timeout_seconds: float = Field(
        0.45,
        gt=0,
        le=60,
        description="How long the parts of an incident's root-cause context may take; what is late "
        "is left out and named.",
    )
    local_cache_entries: int | None = Field(
        None,
        ge=0,
        le=10_000_000,
        description="How many signals, datasets and rules this process keeps in memory for a "
        "moment after they were read; 0 keeps none. If nothing is said, 10,000 with DynamoDB or "
        "Redis and none otherwise: reading the embedded tables is as quick.",
    )
    local_cache_ttl_milliseconds: float = Field(
        100, gt=0, le=60_000, description="For how many milliseconds it shows them unread."
    )
    # Before the address, whose options depend on it.
    redis_cluster: bool = Field(False, description="Whether Redis is a cluster.")
    redis_url: SecretStr | None = Field(
        None,
        description="The Redis that processes share as a cache before the tables, such as "
        "`redis://cache:6379/0`, or `rediss://` with TLS. Without one there is none.",
    )
    redis_timeout_milliseconds: float = Field(
        50, gt=0, le=5_000, description="How long Redis may take before the table is read instead."
    )
    redis_fresh_seconds: float = Field(
        300, gt=0, le=86_400, description="For how long what lies in Redis is shown unread."
    )
    redis_stale_hours: float = Field(
        24,
        gt=0,
        le=24 * 30,
        description="For how long it stays there, to be shown as stale if the tables do not "
        "answer.",
    )
    policy_cache_ttl_seconds: int = Field(
        300, ge=0, le=86400, description="For how long enforcers may keep what they were told."
    )
    policy_fallback_on_miss: FallbackOnMiss = Field(
        FallbackOnMiss.WARN,
        description="What enforcers do with records of a dataset that is not registered: `WARN`, "
        "`FAIL` or `PASS`.",
    )

    @field_validator("redis_url")
    @classmethod
    def _must_be_of_redis(cls, url: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        if url is None:
            return None
        if not url.get_secret_value().startswith(("redis://", "rediss://", "unix://")):
            raise ValueError("must begin with redis:// or rediss://")
        from adapters.redis.address import can_be_redis

        # It may have a password in it: nothing of it is told.
        if not can_be_redis(url.get_secret_value(), cluster=info.data.get("redis_cluster", False)):
            raise ValueError(
                "must be an address such as redis://cache:6379/0: a host, a port up to 65535 and "
                "the number of a database, of a cluster 0; options after ? must be known to "
                "redis-py, and files that they name be there"
            )
        return url
