"""
Whose log the tables of a file follow, when the log itself is kept elsewhere.

    followed_log   log_id     one row

Tables that follow another log, or one that has lost its end, are thrown away: they are read models
and fold again from the beginning.
"""

import apsw

from adapters.sqlite.database import Database
from adapters.sqlite.engine import CREATE_PROGRESS

_CREATE = "CREATE TABLE IF NOT EXISTS followed_log (log_id TEXT NOT NULL) STRICT"
# Only of projections: `generation/signal-board` counts something else than facts.
_REACHED = "SELECT max(reached) FROM projection_progress WHERE projection NOT LIKE '%/%'"
_TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"


def follow(database: Database, log_id: str, *, head: int) -> bool:
    """Make the file's tables those of this log; True if others were thrown away."""

    def job(connection: apsw.Connection) -> bool:
        connection.execute(_CREATE)
        connection.execute(CREATE_PROGRESS)
        followed = connection.execute("SELECT log_id FROM followed_log").get
        reached = connection.execute(_REACHED).get or 0
        if followed == log_id and reached <= head:
            return False
        thrown_away = followed is not None
        for (name,) in connection.execute(_TABLES).fetchall():
            connection.execute(f'DROP TABLE "{name}"')
        connection.execute(_CREATE)
        connection.execute("INSERT INTO followed_log VALUES (?)", (log_id,))
        return thrown_away

    return database.submit(job).result()
