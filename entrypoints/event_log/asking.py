"""Running a command on the log: what goes wrong is told in clear words, and ends it with 1."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import typer

from adapters.dynamodb.packing import Damaged
from adapters.eventstore.log import StreamConflict
from adapters.eventstore.mapper import Mapper
from adapters.eventstore.portable.lines import BadExport
from adapters.eventstore.portable.moving import OutOfPlace
from adapters.keyfile.private_file import NotPrivate
from adapters.sqlite.connections import SqliteTooOld
from adapters.sqlite.folder_lock import FolderInUse
from application.errors import ApplicationError
from entrypoints.command import give_up
from entrypoints.event_log.keys_beside import mapper_beside
from entrypoints.event_log.tools import NoLog
from entrypoints.places import key_file
from entrypoints.settings import Settings

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
