"""Where facts and read models are kept."""

from enum import StrEnum
from pathlib import Path

from pydantic import Field, field_validator

from adapters.row_layouts.billing import provisioned
from adapters.row_layouts.catalogue import EVENT_LOG
from entrypoints.settings.topic import Topic


class Engine(StrEnum):
    EMBEDDED = "embedded"
    DYNAMODB = "dynamodb"
    MEMORY = "memory"


class Storing(Topic):
    """The engine, its folder and its tables."""

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
    blob_store: str | None = Field(
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

    @field_validator("provisioned_tables")
    @classmethod
    def _must_name_tables(cls, said: str | None) -> str | None:
        provisioned(said)
        return said

    @property
    def hot_patterns(self) -> tuple[str, ...]:
        return tuple(part.strip() for part in self.hot_datasets.split(",") if part.strip())
