"""Log lines: for people on a terminal, JSON elsewhere. Always to standard error."""

import json
import logging
import sys
from collections.abc import Mapping, Sequence
from typing import Any, TextIO

import orjson
import structlog
from structlog.tracebacks import ExceptionDictTransformer

from application.projections.quarantined_facts import SetAside
from domain.delivery import dead_letter
from entrypoints.settings.loading import LogFormat, Settings

_PLAIN = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_DATACLASS

LINES = "_lines"
"""What is told of many things of one kind at once is a line each: the values of each, as a list.
Nobody else tells anything by that name."""


def configure(settings: Settings, out: TextIO | None = None) -> None:
    out = out or sys.stderr
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *_rendering(settings.log_format, out),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(out),
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(handlers=[_Forwarded()], level=max(level, logging.WARNING), force=True)


def _rendering(wanted: LogFormat, out: TextIO) -> list[structlog.typing.Processor]:
    """Tracebacks without the values of variables: those hold tokens and keys."""
    for_people = wanted is LogFormat.CONSOLE or (wanted is LogFormat.AUTO and out.isatty())
    if for_people:
        plain = structlog.dev.plain_traceback
        console = structlog.dev.ConsoleRenderer(colors=out.isatty(), exception_formatter=plain)
        return [_a_line_each(console)]
    bare = ExceptionDictTransformer(show_locals=False)
    json_lines = _a_line_each(structlog.processors.JSONRenderer(_json))
    return [structlog.processors.ExceptionRenderer(bare), json_lines]


def _a_line_each(render: structlog.typing.Processor) -> structlog.typing.Processor:
    """The level and the time are found once for all lines, and they are written in one piece."""

    def rendered(logger: Any, name: str, event: structlog.typing.EventDict) -> str:
        lines: Sequence[Mapping[str, Any]] = event.pop(LINES, None) or ({},)
        return "\n".join([str(render(logger, name, {**line, **event})) for line in lines])

    return rendered


def _json(line: dict[str, Any], **usual: Any) -> str:
    """Plain values quickly, for every call writes a line of them; all else in the usual way.

    What is not ASCII stays escaped: nobody knows which encoding the lines are read in.
    """
    try:
        written = orjson.dumps(line, option=_PLAIN)
    except TypeError:
        return json.dumps(line, **usual)
    return written.decode() if written.isascii() else json.dumps(line, **usual)


class _Forwarded(logging.Handler):
    """What libraries log, among our own lines."""

    def emit(self, record: logging.LogRecord) -> None:
        structlog.get_logger().log(
            record.levelno, record.getMessage(), logger=record.name, exc_info=record.exc_info
        )


def projections_stalled(error: Exception) -> None:
    """The read models cannot follow the log now; they try again by themselves."""
    structlog.get_logger().warning("projections_stalled", error=str(error))


def policies_stalled(error: Exception) -> None:
    """A policy cannot act or follow the log now; it tries again by itself."""
    structlog.get_logger().warning("policies_stalled", error=str(error))


def fact_quarantined(fact: SetAside) -> None:
    """A projection could not take a fact, and shows what it would show without it."""
    structlog.get_logger().error(
        "fact_quarantined",
        projection=fact.projection,
        position=fact.position,
        event_id=fact.event_id,
        error=fact.reason,
    )


def expired_rows_sweep_failed(error: Exception) -> None:
    """What has ended cannot be thrown away now; nobody sees it, and it is tried again."""
    structlog.get_logger().warning("expired_rows_sweep_failed", error=str(error))


def expired_rows_swept(count: int) -> None:
    """Rows that had ended were thrown away."""
    structlog.get_logger().info("expired_rows_swept", rows=count)


def event_delivery_failed(error: Exception) -> None:
    """A sink takes no events now; it is tried again."""
    structlog.get_logger().warning("event_delivery_failed", error=str(error))


def event_dead_lettered(sink: str, why: dead_letter.SetAside) -> None:
    """A sink would not take an event; somebody has to look at it."""
    structlog.get_logger().warning(
        "event_dead_lettered",
        sink=sink,
        type=why.event_type,
        reason=why.reason,
        attempts=why.attempts,
    )


def evidence_maintenance_failed(what: str, error: Exception | None) -> None:
    """Some of the work on evidence cannot be done now, or can be again; once for each change.

    Evidence is kept and read all the same, and the work is tried again.
    """
    if error is None:
        structlog.get_logger().info("evidence_maintenance_resumed", task=what)
    else:
        cause = error.__cause__ and str(error.__cause__)
        structlog.get_logger().warning(
            "evidence_maintenance_failed", task=what, error=str(error), cause=cause
        )


def evidence_changed(trouble: str | None) -> None:
    """Something about evidence begins to fail, or nothing does any more; once for each change."""
    if trouble is None:
        structlog.get_logger().info("evidence_recovered")
    else:
        structlog.get_logger().warning("evidence_degraded", error=trouble)


def evidence_worker_changed(pid: int | None) -> None:
    """Large batches of evidence are sifted by another process from now on, or not any more."""
    if pid is None:
        structlog.get_logger().warning("evidence_worker_stopped")
    else:
        structlog.get_logger().info("evidence_worker_started", pid=pid)


def shared_cache_changed(doing: str, trouble: str | None) -> None:
    """The shared cache is done without from now on, or is used again; once for each change."""
    if trouble is None:
        structlog.get_logger().info("shared_cache_recovered", operation=doing)
    else:
        structlog.get_logger().warning("shared_cache_unavailable", operation=doing, error=trouble)


def shared_cache_cleared(position: int) -> None:
    """All that was in the shared cache is gone, with what would be shown if the tables were."""
    structlog.get_logger().info("shared_cache_cleared", position=position)
