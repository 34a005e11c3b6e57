"""Log lines: for people on a terminal, JSON elsewhere. Always to standard error."""

import logging
import sys
from typing import TextIO

import structlog

from entrypoints.settings import LogFormat, Settings


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
        logger_factory=structlog.PrintLoggerFactory(out),
        cache_logger_on_first_use=False,
    )


def _rendering(wanted: LogFormat, out: TextIO) -> list[structlog.typing.Processor]:
    for_people = wanted is LogFormat.CONSOLE or (wanted is LogFormat.AUTO and out.isatty())
    if for_people:
        return [structlog.dev.ConsoleRenderer(colors=out.isatty())]
    return [structlog.processors.dict_tracebacks, structlog.processors.JSONRenderer()]
