"""Jobs that keep a value, and what was kept."""

from collections.abc import Callable
from typing import Any

import apsw

from adapters.sqlite.connection.database import Database


def keep(value: object) -> Callable[[apsw.Connection], object]:
    def job(connection: apsw.Connection) -> object:
        connection.execute("INSERT INTO kept VALUES (?)", (value,))
        return value

    return job


def kept(database: Database) -> list[Any]:
    return [value for (value,) in database.rows("SELECT value FROM kept ORDER BY rowid")]
