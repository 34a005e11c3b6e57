"""Recorders for aggregates and applications on the SQLite log."""

from adapters.eventstore.library.recorders import LogAggregateRecorder, LogApplicationRecorder
from adapters.eventstore.library.words import OriginatorIdType
from adapters.sqlite.log import SqliteLog


class SqliteAggregateRecorder(LogAggregateRecorder):
    log: SqliteLog

    def __init__(self, log: SqliteLog, ids: OriginatorIdType) -> None:
        super().__init__(log, ids)


class SqliteApplicationRecorder(SqliteAggregateRecorder, LogApplicationRecorder):
    pass
