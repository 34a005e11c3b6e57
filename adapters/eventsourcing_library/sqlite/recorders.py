"""Recorders for aggregates and applications on the SQLite log."""

from adapters.eventsourcing_library.shared.recorders import (
    LogAggregateRecorder,
    LogApplicationRecorder,
)
from adapters.eventsourcing_library.shared.translation import OriginatorIdType
from adapters.sqlite.log.log import SqliteLog


class SqliteAggregateRecorder(LogAggregateRecorder):
    log: SqliteLog

    def __init__(self, log: SqliteLog, ids: OriginatorIdType) -> None:
        super().__init__(log, ids)


class SqliteApplicationRecorder(SqliteAggregateRecorder, LogApplicationRecorder):
    pass
