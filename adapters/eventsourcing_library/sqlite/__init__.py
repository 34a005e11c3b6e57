"""
Our log as a persistence module of the `eventsourcing` library.

    PERSISTENCE_MODULE=adapters.eventsourcing_library.sqlite
    SQLITE_DBNAME=/var/lib/statestore/statestore.db
"""

from adapters.eventsourcing_library.sqlite.factory import Factory

__all__ = ["Factory"]
