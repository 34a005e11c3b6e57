"""What the program says of itself."""

from enum import StrEnum

from pydantic import Field

from entrypoints.settings.topic import Topic


class LogFormat(StrEnum):
    AUTO = "auto"
    CONSOLE = "console"
    JSON = "json"


class LogLevel(StrEnum):
    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Logging(Topic):
    """Which lines are shown, and how."""

    log_level: LogLevel = Field(LogLevel.INFO, description="The least important log line shown.")
    log_format: LogFormat = Field(
        LogFormat.AUTO,
        description="`console` for people, `json` for machines; `auto` asks the terminal.",
    )
