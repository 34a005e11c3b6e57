"""
Every setting, by environment variable with the prefix `STATESTORE_`, or in a file `.env`.

The table in the README and `.env.example` are checked against this module by a test.
"""

import difflib
import ipaddress
from collections.abc import Iterable, Mapping
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any

from attrs import define
from dotenv import dotenv_values
from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from adapters.tables.billing import provisioned
from adapters.tables.catalogue import EVENT_LOG
from adapters.tokens.admin_token import token_problem
from adapters.webhooks.webhook import read_webhooks, webhooks_said
from application.enforcement import OnMiss
from domain.kept_for import KEPT_FOR, KeptFor

PREFIX = "STATESTORE_"
OF_THE_CLIENT = frozenset({"STATESTORE_ADDRESS", "STATESTORE_TOKEN"})
"""What the Python client reads: who has set it may start a server all the same."""


class Engine(StrEnum):
    EMBEDDED = "embedded"
    DYNAMODB = "dynamodb"
    MEMORY = "memory"


class EventsFrom(StrEnum):
    NOW = "now"
    BEGINNING = "beginning"


class LogFormat(StrEnum):
    AUTO = "auto"
    CONSOLE = "console"
    JSON = "json"


class LogLevel(StrEnum):
    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Settings(BaseSettings):
    """What can be set. Descriptions are shown to people."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="forbid", frozen=True)

    engine: Engine = Field(
        Engine.EMBEDDED,
        description="Where facts and read models are kept: `embedded` is a SQLite file, "
        "`dynamodb` DynamoDB tables, `memory` forgets everything at the end.",
    )
    data_dir: Path = Field(
        Path("var"), description="The folder of the store file, the keys and the token."
    )
    table_prefix: str = Field(
        "",
        pattern=r"^[A-Za-z0-9_.-]{0,64}$",
        description="What the names of all DynamoDB tables begin with, so that several stores can "
        "share an account.",
    )
    dynamodb_table: str = Field(
        default_factory=lambda others: others.get("table_prefix", "") + EVENT_LOG.name,
        pattern=r"^[A-Za-z0-9_.-]{3,255}$",
        description="The DynamoDB table of the event log. Whoever sets it names the whole table: "
        "no prefix is added. Otherwise it is called `observability-event-log`, after the prefix.",
    )
    provisioned_tables: str | None = Field(
        None,
        description="Which DynamoDB tables have provisioned capacity, and how many read and write "
        "units: `TABLE:READ:WRITE`, with commas between them, or `none`. All others are paid for "
        "on demand. If nothing is said, the catalogue counts: the registry and the resolution "
        "map are provisioned.",
    )
    dynamodb_endpoint_url: str | None = Field(
        None,
        min_length=1,
        description="Where DynamoDB is, if not at the region's usual address. Region and "
        "credentials come from the usual AWS settings.",
    )
    create_tables: bool = Field(
        True, description="Whether DynamoDB tables that are missing are created."
    )
    blobs: str | None = Field(
        None,
        min_length=1,
        description="Where what is too large for DynamoDB is kept: a folder, or "
        "`s3://bucket/prefix`. Processes that share a log must share it, too; if there is none, "
        "what is too large is refused.",
    )
    hot_datasets: str = Field(
        "",
        description="Datasets whose signals are spread over ten partitions, because they change "
        "too often for one: URNs, or patterns with `*`, with commas between them. Tables that are "
        "filled must be filled again when this changes.",
    )
    http_host: str = Field(
        "127.0.0.1", min_length=1, description="The address that HTTP and gRPC listen on."
    )
    http_port: int = Field(
        8080, ge=0, le=65535, description="The port of HTTP; 0 picks a free one."
    )
    grpc_port: int = Field(
        50051,
        ge=0,
        le=65535,
        description="The port of gRPC, on the same address; 0 picks a free one.",
    )
    grpc_tls_certificate: Path | None = Field(
        None,
        description="The certificate that gRPC shows, with all it rests on: a PEM file. Without "
        "one, gRPC is not encrypted.",
    )
    grpc_tls_key: Path | None = Field(
        None,
        validate_default=True,
        description="The key of the certificate: a PEM file without a password.",
    )
    grpc_largest_message_bytes: int = Field(
        4 * 1024 * 1024,
        ge=64 * 1024,
        le=64 * 1024 * 1024,
        description="The largest message that gRPC takes.",
    )
    grpc_calls: int = Field(
        1_000,
        ge=1,
        le=100_000,
        description="How many calls over gRPC may be on their way at once, streams included; more "
        "are told to come later.",
    )
    admin_token: SecretStr | None = Field(
        None,
        description="The bearer token. If there is none, one is made at the first start and kept "
        "in the data folder; then only loopback addresses are served. With `memory` it is kept "
        "nowhere: set one for commands to find it.",
    )
    key_file: Path | None = Field(
        None,
        description="The keys of personal data; in the data folder if nothing is said. Processes "
        "that share a log must share this file, too.",
    )
    projections: bool = Field(
        True,
        description="Whether `serve` folds the read models itself; `off` leaves that to other "
        "processes that share them, such as `statestore project`.",
    )
    signal_horizon_hours: float = Field(
        24, gt=0, le=24 * 366, description="How far back windows can still move a signal's state."
    )
    reopen_window_hours: float = Field(
        168, gt=0, le=24 * 365, description="How long a resolved incident can be opened again."
    )
    signal_retention_days: int = Field(
        KEPT_FOR.signals.days,
        ge=1,
        le=3650,
        description="How long signals are shown after their dataset was retired. Those of a "
        "dataset in service never expire.",
    )
    incident_retention_days: int = Field(
        KEPT_FOR.incidents.days,
        ge=1,
        le=3650,
        description="How long incidents are shown after they were resolved; not shorter than they "
        "can be opened again.",
    )
    evidence_retention_hours: int = Field(
        KEPT_FOR.evidence // timedelta(hours=1),
        ge=1,
        le=24 * 366,
        description="How long evidence is at hand after it was recorded; then it is read from the "
        "archive.",
    )
    evidence_pass_rate: float = Field(
        0.01,
        ge=0,
        le=1,
        description="The share of the evidence that passed which is kept. All that failed is.",
    )
    evidence_queue: int = Field(
        50_000,
        ge=1,
        le=10_000_000,
        description="How much evidence may wait to be stored in the archive; more is told to come "
        "later.",
    )
    evidence_archive: str | None = Field(
        None,
        min_length=1,
        description="Where evidence is kept for good: a folder, or `s3://bucket/prefix`; "
        "`evidence` in the data folder if nothing is said. Processes that share a log must share "
        "it, too.",
    )
    lineage_retention_days: int = Field(
        KEPT_FOR.lineage.days,
        ge=1,
        le=3650,
        description="How long a lineage spec holds that does not say so itself.",
    )
    snapshot_every: int = Field(
        200, ge=1, le=100_000, description="A snapshot is taken every so many facts of a stream."
    )
    cached_streams: int = Field(
        20_000, ge=1, le=10_000_000, description="How many streams' states are kept in memory."
    )
    busy_timeout_seconds: float = Field(
        5, ge=0, le=60, description="How long a locked store file is waited for."
    )
    read_patience_seconds: float = Field(
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
    cache_entries: int | None = Field(
        None,
        ge=0,
        le=10_000_000,
        description="How many signals, datasets and rules this process keeps in memory for a "
        "moment after they were read; 0 keeps none. If nothing is said, 10,000 with DynamoDB or "
        "Redis and none otherwise: reading the embedded tables is as quick.",
    )
    cache_milliseconds: float = Field(
        100, gt=0, le=60_000, description="For how many milliseconds it shows them unread."
    )
    redis_url: SecretStr | None = Field(
        None,
        description="The Redis that processes share as a cache before the tables, such as "
        "`redis://cache:6379/0`, or `rediss://` with TLS. Without one there is none.",
    )
    redis_cluster: bool = Field(False, description="Whether that Redis is a cluster.")
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
    policy_fallback_on_miss: OnMiss = Field(
        OnMiss.WARN,
        description="What enforcers do with records of a dataset that is not registered: `WARN`, "
        "`FAIL` or `PASS`.",
    )
    drain_seconds: float = Field(
        10, ge=0, le=600, description="How long running requests may take to end at a stop."
    )
    sns_topic_arn: str | None = Field(
        None,
        pattern=r"^arn:aws[a-z-]*:sns:[a-z0-9-]+:[0-9]{12}:[A-Za-z0-9_-]{1,256}(\.fifo)?$",
        description="The SNS topic that events are published to. Credentials come from the usual "
        "AWS settings.",
    )
    event_bus: str | None = Field(
        None,
        pattern=r"^[A-Za-z0-9._:/-]{1,256}$",
        description="The EventBridge bus that events are put on: a name or an ARN.",
    )
    webhooks: SecretStr | None = Field(
        None,
        description="Who is told of events over HTTP: a JSON list of webhooks, or the path of a "
        "private file with one.",
    )
    events_from: EventsFrom = Field(
        EventsFrom.NOW,
        description="Where a sink begins that is new: `now`, or at the `beginning` of the log.",
    )
    events_tries: int = Field(
        10,
        ge=1,
        le=100,
        description="How often an event is tried that a sink refuses, before it is a dead letter.",
    )
    events_longest_pause_seconds: float = Field(
        300, ge=1, le=3600, description="The longest pause between two tries of an event."
    )
    events_timeout_seconds: float = Field(
        10, gt=0, le=60, description="How long the receiver of a webhook may take to answer."
    )
    event_streams: int = Field(
        100,
        ge=0,
        le=10_000,
        description="How many callers may listen to the stream of events at once, GraphQL "
        "subscriptions included.",
    )
    event_heartbeat_seconds: float = Field(
        15, gt=0, le=300, description="How often a stream says that it lives, if nothing happens."
    )
    graphql_depth: int = Field(
        12, ge=1, le=50, description="How many levels of fields a GraphQL document may have."
    )
    graphql_cost: int = Field(
        50_000,
        ge=1,
        le=1_000_000,
        description="How many values the answer to a GraphQL document may have, counted before it "
        "is executed; each item of a list counts.",
    )
    graphql_timeout_seconds: float = Field(
        10, gt=0, le=300, description="How long a GraphQL document may take to be answered."
    )
    log_level: LogLevel = Field(LogLevel.INFO, description="The least important log line shown.")
    log_format: LogFormat = Field(
        LogFormat.AUTO,
        description="`console` for people, `json` for machines; `auto` asks the terminal.",
    )

    @field_validator("admin_token")
    @classmethod
    def _must_be_usable(cls, token: SecretStr | None) -> SecretStr | None:
        problem = token and token_problem(token.get_secret_value())
        if problem:
            raise ValueError(problem)
        return token

    @field_validator("grpc_tls_key")
    @classmethod
    def _must_come_with_a_certificate(cls, key: Path | None, others: ValidationInfo) -> Path | None:
        if (key is None) != (others.data.get("grpc_tls_certificate") is None):
            raise ValueError("must be set together with STATESTORE_GRPC_TLS_CERTIFICATE, or not")
        return key

    @field_validator("redis_url")
    @classmethod
    def _must_be_of_redis(cls, url: SecretStr | None) -> SecretStr | None:
        if url is None:
            return None
        if not url.get_secret_value().startswith(("redis://", "rediss://", "unix://")):
            raise ValueError("must begin with redis:// or rediss://")
        from adapters.redis.address import can_be_redis

        # It may have a password in it: nothing of it is told.
        if not can_be_redis(url.get_secret_value()):
            raise ValueError(
                "must be an address such as redis://cache:6379/0: a host, a port up to 65535 and "
                "the number of a database; options after ? must be known to redis-py, and files "
                "that they name be there"
            )
        return url

    @field_validator("provisioned_tables")
    @classmethod
    def _must_name_tables(cls, said: str | None) -> str | None:
        provisioned(said)
        return said

    @field_validator("incident_retention_days")
    @classmethod
    def _must_outlast_reopening(cls, days: int, others: ValidationInfo) -> int:
        hours = others.data.get("reopen_window_hours", 0)
        if days * 24 < hours:
            raise ValueError(
                f"must be at least the {hours} hours of STATESTORE_REOPEN_WINDOW_HOURS"
            )
        return days

    @property
    def kept_for(self) -> KeptFor:
        return KeptFor(
            signals=timedelta(days=self.signal_retention_days),
            incidents=timedelta(days=self.incident_retention_days),
            evidence=timedelta(hours=self.evidence_retention_hours),
            lineage=timedelta(days=self.lineage_retention_days),
        )

    @property
    def local_cache_entries(self) -> int:
        if self.cache_entries is not None:
            return self.cache_entries
        far = self.engine is Engine.DYNAMODB or self.redis_url is not None
        return 10_000 if far else 0

    @property
    def hot_patterns(self) -> tuple[str, ...]:
        return tuple(part.strip() for part in self.hot_datasets.split(",") if part.strip())

    @field_validator("webhooks")
    @classmethod
    def _must_be_a_list(cls, webhooks: SecretStr | None) -> SecretStr | None:
        if webhooks is not None:
            read_webhooks(webhooks_said(webhooks.get_secret_value()))
        return webhooks

    @property
    def is_loopback(self) -> bool:
        if self.http_host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.http_host).is_loopback
        except ValueError:
            return False

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        # Only what `load` was given counts, so that a test's environment is the whole truth.
        return (init_settings,)


@define
class BadSettings(Exception):
    """Every problem with the settings, a line each."""

    problems: list[str]

    def __str__(self) -> str:
        return "\n".join(self.problems)


def load(environment: Mapping[str, str], env_file: Path = Path(".env")) -> Settings:
    """Read the settings; the environment wins over the file.

    Raises:
        BadSettings: With every unknown name and every value that cannot be used.
    """
    given = {**_file_values(env_file), **environment}
    ours = {
        name: value
        for name, value in given.items()
        if name.startswith(PREFIX) and name not in OF_THE_CLIENT
    }
    known = {variable(field): field for field in Settings.model_fields}
    problems = [_unknown(name, known) for name in sorted(ours.keys() - known.keys())]
    values: dict[str, Any] = {known[name]: ours[name] for name in ours if name in known}
    try:
        settings = Settings(**values)
    except ValidationError as error:
        raise BadSettings([*problems, *_told(error)]) from None
    if problems:
        raise BadSettings(problems)
    return settings


def variable(field: str) -> str:
    return PREFIX + field.upper()


def _file_values(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    try:
        return {name: value or "" for name, value in dotenv_values(path).items()}
    except (OSError, UnicodeError) as error:
        raise BadSettings([f"{path} cannot be read: {error}"]) from error


def _unknown(name: str, known: Iterable[str]) -> str:
    # However far the nearest name is, it is the nearest.
    nearest = difflib.get_close_matches(name, list(known), n=1, cutoff=0.0)
    return f"{name} is not a setting. Did you mean {nearest[0]}?"


def _told(error: ValidationError) -> list[str]:
    # A default that follows from others cannot be told before those are right.
    ours = [one for one in error.errors() if one["type"] != "default_factory_not_called"]
    told = ((variable(str(one["loc"][0])), one["msg"]) for one in ours)
    return [f"{name}: {_in_our_words(message)}" for name, message in told]


def _in_our_words(message: str) -> str:
    return message.removeprefix("Value error, ").replace("Input should be", "must be", 1)
