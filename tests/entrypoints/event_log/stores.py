"""Logs for the commands to work on."""

from pathlib import Path

from adapters.eventstore.mapper import Mapper
from adapters.eventstore.sealing import Seals
from adapters.keyfile.key_file import KeyFile
from adapters.sqlite.database import Database
from adapters.sqlite.log import SqliteLog
from tests.adapters.dynamodb import aws, local
from tests.adapters.eventstore.engines import Clock
from tests.adapters.eventstore.facts_told import appends

EVENTS = 6


def fill(folder: Path, *, times: int = 1) -> None:
    """A store with a few facts of two streams, recorded a millisecond apart, so many times."""
    folder.mkdir(parents=True, exist_ok=True)
    clock = Clock()
    with Database.open(folder / "statestore.db") as database:
        log = SqliteLog(database, now=clock)
        mapper = Mapper.of_catalogue(Seals(KeyFile.open(folder / "personal-keys.json")))
        for after in range(times):
            for append in appends(mapper, after):
                clock.move(milliseconds=1)
                log.submit(append).result()


def dynamodb_settings(table: str | None = None) -> dict[str, str]:
    table = table or local.unused_table("log-tools")
    return {
        **aws.variables(),
        "STATESTORE_ENGINE": "dynamodb",
        "STATESTORE_DYNAMODB_TABLE": table,
        "STATESTORE_TABLE_PREFIX": f"{table}-",
        "STATESTORE_DYNAMODB_ENDPOINT_URL": local.endpoint(),
    }
