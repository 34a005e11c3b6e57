"""How much a SQLite log holds."""

from adapters.eventstore.log_stats import End, LogStats
from adapters.eventstore.milliseconds import moment
from adapters.sqlite.log.read_only import LogBeside

_SNAPSHOTS = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'snapshots'"


def sqlite_stats(log: LogBeside) -> LogStats:
    """Read the whole log once. `bytes` counts the events; the file holds more."""
    rows, events = log.file.rows, log.table.name
    count, size = rows(f"""
        SELECT count(*), coalesce(sum(octet_length(stream) + octet_length(name)
            + length(data) + length(event_id) + length(meta)), 0) FROM {events}
    """)[0]
    ((streams,),) = rows(f"SELECT count(DISTINCT stream) FROM {events}")
    ((pages, page),) = rows("SELECT * FROM pragma_page_count(), pragma_page_size()")
    return LogStats(
        events=count,
        streams=streams,
        bytes=size,
        snapshots=rows("SELECT count(*) FROM snapshots")[0][0] if rows(_SNAPSHOTS) else 0,
        first=_end(log, "min"),
        last=_end(log, "max"),
        parts={"file bytes": pages * page},
    )


def _end(log: LogBeside, which: str) -> End | None:
    sql = f"""
        SELECT position, recorded_ms FROM {log.table.name}
        WHERE position = (SELECT {which}(position) FROM {log.table.name})
    """
    found = log.file.rows(sql)
    return End(found[0][0], moment(found[0][1])) if found else None
