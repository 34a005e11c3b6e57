"""
Every setting, by environment variable with the prefix `STATESTORE_`, or in a file `.env`.

The table in the README and `.env.example` are checked against this module by a test.
"""

import difflib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from attrs import define
from dotenv import dotenv_values
from pydantic import ConfigDict, ValidationError

from entrypoints.settings.delivery import EventsFrom, Telling
from entrypoints.settings.graphql import GraphqlLimits
from entrypoints.settings.logging import LogFormat, Logging, LogLevel
from entrypoints.settings.reading import Reading
from entrypoints.settings.retention import Keeping
from entrypoints.settings.serving import Serving
from entrypoints.settings.storage import Engine, Storing

__all__ = [
    "OF_THE_CLIENT",
    "PREFIX",
    "BadSettings",
    "Engine",
    "EventsFrom",
    "LogFormat",
    "LogLevel",
    "Settings",
    "load",
    "variable",
]

PREFIX = "STATESTORE_"
OF_THE_CLIENT = frozenset({"STATESTORE_ADDRESS", "STATESTORE_TOKEN"})
"""What the Python client reads: who has set it may start a server all the same."""


# Fields are told in the order of the bases, the last of them first.
class Settings(Logging, GraphqlLimits, Telling, Reading, Keeping, Serving, Storing):
    """What can be set. Descriptions are shown to people."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True, defer_build=False)

    @property
    def local_cache_size(self) -> int:
        if self.local_cache_entries is not None:
            return self.local_cache_entries
        far = self.engine is Engine.DYNAMODB or self.redis_url is not None
        return 10_000 if far else 0


@define
class BadSettings(Exception):
    """Every problem with the settings, a line each."""

    problems: list[str]

    def __str__(self) -> str:
        return "\n".join(self.problems)


def load(environment: Mapping[str, str], env_file: Path = Path(".env")) -> Settings:
    """Read the settings; the environment wins over the file.

    Raises:
        BadSettings: With every unknown name and every value that cannot be used.
    """
    given = {**_file_values(env_file), **environment}
    ours = {
        name: value
        for name, value in given.items()
        if name.startswith(PREFIX) and name not in OF_THE_CLIENT
    }
    known = {variable(field): field for field in Settings.model_fields}
    problems = [_unknown(name, known) for name in sorted(ours.keys() - known.keys())]
    values: dict[str, Any] = {known[name]: ours[name] for name in ours if name in known}
    try:
        settings = Settings(**values)
    except ValidationError as error:
        raise BadSettings([*problems, *_told(error)]) from None
    if problems:
        raise BadSettings(problems)
    return settings


def variable(field: str) -> str:
    return PREFIX + field.upper()


def _file_values(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    try:
        return {name: value or "" for name, value in dotenv_values(path).items()}
    except (OSError, UnicodeError) as error:
        raise BadSettings([f"{path} cannot be read: {error}"]) from error


def _unknown(name: str, known: Iterable[str]) -> str:
    # However far the nearest name is, it is the nearest.
    nearest = difflib.get_close_matches(name, list(known), n=1, cutoff=0.0)
    return f"{name} is not a setting. Did you mean {nearest[0]}?"


def _told(error: ValidationError) -> list[str]:
    # A default that follows from others cannot be told before those are right.
    ours = [one for one in error.errors() if one["type"] != "default_factory_not_called"]
    told = ((variable(str(one["loc"][0])), one["msg"]) for one in ours)
    return [f"{name}: {_in_our_words(message)}" for name, message in told]


def _in_our_words(message: str) -> str:
    return message.removeprefix("Value error, ").replace("Input should be", "must be", 1)
