"""Making the writer do what it seldom does: wait, fail, show what it executes."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

import apsw

from adapters.sqlite.connection.database import Database


@contextmanager
def held(database: Database) -> Iterator[None]:
    """Keep the writer busy, so that what is submitted meanwhile becomes one group."""
    started, go = Event(), Event()

    def wait(connection: apsw.Connection) -> None:
        started.set()
        go.wait()

    waiting = database.submit(wait)
    started.wait()
    try:
        yield
    finally:
        go.set()
        waiting.exception()


def refuse_next_commit(connection: apsw.Connection) -> None:
    """A job after which the transaction it belongs to cannot be committed."""

    def refuse() -> bool:
        connection.set_commit_hook(None)
        return True

    connection.set_commit_hook(refuse)


def traced(connection: apsw.Connection) -> list[str]:
    """The statements that the connection executes from now on."""
    statements: list[str] = []

    def note(cursor: apsw.Cursor, sql: str, bindings: object) -> bool:
        statements.append(sql)
        return True

    connection.exec_trace = note
    return statements
