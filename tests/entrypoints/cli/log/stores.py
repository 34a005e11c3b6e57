"""Logs for the commands to work on."""

from pathlib import Path

from adapters.eventstore.mapper import Mapper
from adapters.eventstore.sealing.seals import Seals
from adapters.key_file.key_file import KeyFile
from adapters.sqlite.connection.database import Database
from adapters.sqlite.log.log import SqliteLog
from tests.adapters.dynamodb.support import dynamodb_local, environment
from tests.adapters.eventstore.engines import Clock
from tests.adapters.eventstore.sample_log import appends

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
    table = table or dynamodb_local.unused_table("log-tools")
    return {
        **environment.variables(),
        "STATESTORE_ENGINE": "dynamodb",
        "STATESTORE_DYNAMODB_TABLE": table,
        "STATESTORE_TABLE_PREFIX": f"{table}-",
        "STATESTORE_DYNAMODB_ENDPOINT_URL": dynamodb_local.endpoint(),
    }
