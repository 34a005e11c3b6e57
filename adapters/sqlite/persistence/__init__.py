"""
Our log as a persistence module of the `eventsourcing` library.

    PERSISTENCE_MODULE=adapters.sqlite.persistence
    SQLITE_DBNAME=/var/lib/statestore/statestore.db
"""

from adapters.sqlite.persistence.factory import Factory

__all__ = ["Factory"]
