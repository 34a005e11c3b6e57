"""
The applications whose logs share a database file, kept apart by tables of their own.

    applications   id, name          one row per application
    events_<id>    position, ...     its events; other tables carry the same number
"""

import apsw

from adapters.sqlite.connection.row_queries import Rows
from application.errors import Unavailable

CREATE = """
    CREATE TABLE IF NOT EXISTS applications (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE
    ) STRICT
"""


def register(connection: apsw.Connection, name: str) -> int:
    """The application's number, a new one if its name was never heard of."""
    connection.execute(CREATE)
    connection.execute("INSERT OR IGNORE INTO applications (name) VALUES (?)", (name,))
    number: int = connection.execute("SELECT id FROM applications WHERE name = ?", (name,)).get
    return number


def find(database: Rows, name: str) -> int:
    """The number of an application that must exist already.

    Raises:
        Unavailable: Nobody has created its tables.
    """
    known = database.rows("SELECT 1 FROM sqlite_schema WHERE name = 'applications'")
    found = known and database.rows("SELECT id FROM applications WHERE name = ?", (name,))
    if not found:
        raise Unavailable(f"the log of {name}", "its tables have not been created")
    number: int = found[0][0]
    return number
