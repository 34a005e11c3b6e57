"""What SQLite's errors mean to the rest of the store."""

import apsw

from application.errors import Unavailable

# The surroundings failed: the disk, a lock, the memory, the file itself. Whatever is not listed
# here (a syntax error, a broken constraint) is the statement's own fault.
SURROUNDINGS = (
    apsw.AuthError,
    apsw.BusyError,
    apsw.CantOpenError,
    apsw.ConnectionClosedError,
    apsw.CorruptError,
    apsw.FullError,
    apsw.IOError,
    apsw.InternalError,
    apsw.InterruptError,
    apsw.LockedError,
    apsw.NoMemError,
    apsw.NotADBError,
    apsw.PermissionsError,
    apsw.ProtocolError,
    apsw.ReadOnlyError,
)

# What is wrong with the file itself does not pass.
DAMAGED = (apsw.CorruptError, apsw.NotADBError)


def unavailable(what: str, error: BaseException) -> Unavailable:
    """A fresh error for each who waits: one that is raised twice mixes up its tracebacks."""
    fault = Unavailable(what, str(error) or type(error).__name__)
    fault.__cause__ = error
    return fault


def understood(what: str, error: BaseException) -> BaseException:
    """Translate what the surroundings did; leave everything else as it is."""
    return unavailable(what, error) if isinstance(error, SURROUNDINGS) else error
