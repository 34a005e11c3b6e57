"""
Every setting, by environment variable with the prefix `STATESTORE_`, or in a file `.env`.

The table in the README and `.env.example` are checked against this module by a test.
"""

import difflib
import ipaddress
from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from attrs import define
from dotenv import dotenv_values
from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from adapters.tokens.admin_token import token_problem
from adapters.webhooks.webhook import read_webhooks, webhooks_said

PREFIX = "STATESTORE_"


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
        "`dynamodb` a DynamoDB table for the facts and a local file for the read models, "
        "`memory` forgets everything at the end.",
    )
    data_dir: Path = Field(
        Path("var"), description="The folder of the store file, the keys and the token."
    )
    dynamodb_table: str = Field(
        "observability-event-log",
        pattern=r"^[A-Za-z0-9_.-]{3,255}$",
        description="The DynamoDB table of the event log.",
    )
    dynamodb_endpoint_url: str | None = Field(
        None,
        min_length=1,
        description="Where DynamoDB is, if not at the region's usual address. Region and "
        "credentials come from the usual AWS settings.",
    )
    create_tables: bool = Field(
        True, description="Whether a DynamoDB table that is missing is created."
    )
    blobs: str | None = Field(
        None,
        min_length=1,
        description="Where what is too large for DynamoDB is kept: a folder, or "
        "`s3://bucket/prefix`. Processes that share a log must share it, too; if there is none, "
        "what is too large is refused.",
    )
    http_host: str = Field("127.0.0.1", min_length=1, description="The address HTTP listens on.")
    http_port: int = Field(
        8080, ge=0, le=65535, description="The port of HTTP; 0 picks a free one."
    )
    grpc_port: int = Field(
        50051, ge=0, le=65535, description="The port kept for gRPC, which is not served yet."
    )
    admin_token: SecretStr | None = Field(
        None,
        description="The bearer token. If there is none, one is made at the first start and kept "
        "in the data folder; then only loopback addresses are served.",
    )
    key_file: Path | None = Field(
        None,
        description="The keys of personal data; in the data folder if nothing is said. Processes "
        "that share a log must share this file, too.",
    )
    signal_horizon_hours: float = Field(
        24, gt=0, le=24 * 366, description="How far back windows can still move a signal's state."
    )
    reopen_window_hours: float = Field(
        168, gt=0, le=24 * 365, description="How long a resolved incident can be opened again."
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
        2, ge=0, le=60, description="How long a read waits for the caller's own last write."
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
        description="How many callers may listen to the stream of events at once.",
    )
    event_heartbeat_seconds: float = Field(
        15, gt=0, le=300, description="How often a stream says that it lives, if nothing happens."
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
    ours = {name: value for name, value in given.items() if name.startswith(PREFIX)}
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
    told = ((variable(str(one["loc"][0])), one["msg"]) for one in error.errors())
    return [f"{name}: {message.removeprefix('Value error, ')}" for name, message in told]
