"""Running a command on the log: what goes wrong is told in clear words, and ends it with 1."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import typer

from adapters.dynamodb.log.packing import Damaged
from adapters.eventstore.export.file_format import BadExport
from adapters.eventstore.export.transfer import OutOfPlace
from adapters.eventstore.log import StreamConflict
from adapters.eventstore.mapper import Mapper
from adapters.key_file.private_file import NotPrivate
from adapters.sqlite.connection.connections import SqliteTooOld
from adapters.sqlite.connection.folder_lock import FolderInUse
from application.errors import ApplicationError
from entrypoints.cli.command import give_up
from entrypoints.cli.log.open_log import NoLog
from entrypoints.cli.log.read_only_keys import mapper_beside
from entrypoints.settings.loading import Settings
from entrypoints.wiring.locations import key_file

T = TypeVar("T")

TOLD = (
    ApplicationError,
    BadExport,
    Damaged,
    FolderInUse,
    NoLog,
    NotPrivate,
    OSError,
    OutOfPlace,
    SqliteTooOld,
    StreamConflict,
)


def done(work: Coroutine[Any, Any, T]) -> T:
    """The result; the command ends with 1 and a clear word if there is none."""
    try:
        return asyncio.run(work)
    except TOLD as error:
        give_up(error)


def mapper_of(settings: Settings) -> Mapper:
    path = key_file(settings)
    if not path.exists():
        told = f"statestore: {path} is missing: names and what else is sealed stay closed"
        typer.echo(told, err=True)
    return mapper_beside(path)
