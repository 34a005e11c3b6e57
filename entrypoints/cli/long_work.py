"""Work that a command does on a store, or has done by its server: how it ends, and is told."""

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

import typer

from entrypoints.cli.command import WRONG_USE, give_up

T = TypeVar("T")

Answer = dict[str, Any]


def done(work: Coroutine[Any, Any, T]) -> T:
    """The result; the command ends with a clear word if there is none."""
    from domain.errors import Invalid
    from entrypoints.cli.erase import NoStore
    from entrypoints.cli.log.running import TOLD
    from entrypoints.cli.read_models.maintenance import WorkFailed
    from entrypoints.cli.running_server import ServerAway, ServerRefused

    try:
        return asyncio.run(work)
    except Invalid as error:
        give_up(error, WRONG_USE)
    except (*TOLD, NoStore, ServerAway, ServerRefused, WorkFailed) as error:
        give_up(error)


def tell(answer: Answer, lines: Callable[[Answer], Iterator[str]], as_json: bool) -> None:
    """In JSON for scripts, else line by line for people."""
    if as_json:
        typer.echo(json.dumps(answer))
        return
    for line in lines(answer):
        typer.echo(line)
