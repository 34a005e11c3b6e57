"""How `statestore project` talks: lines for people, JSON for scripts, errors with a code."""

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

import typer
import uvloop
from attrs import asdict

from adapters.key_file.private_file import NotPrivate
from adapters.sqlite.connection.connections import SqliteTooOld
from application.errors import ApplicationError
from application.projections.quarantined_facts import SetAside
from domain.timestamps import stamp
from entrypoints import logs
from entrypoints.cli.command import WRONG_USE, give_up
from entrypoints.cli.projections import project as projecting
from entrypoints.cli.projections.project import CannotProject, NoSuchProjection, Standing
from entrypoints.cli.running_server import ServerAway, ServerRefused
from entrypoints.server.garbage_collection import let_what_is_loaded_be
from entrypoints.settings.loading import Settings

T = TypeVar("T")


def project(settings: Settings, names: Sequence[str], as_json: bool) -> None:
    logs.configure(settings)
    let_what_is_loaded_be()
    _done(projecting.project(settings, names, _teller(as_json)))


def list_quarantined(settings: Settings, names: Sequence[str], as_json: bool) -> None:
    facts = _done(projecting.list_quarantined(settings, names))
    if as_json:
        typer.echo(json.dumps([_answer(fact) for fact in facts]))
        return
    for fact in facts:
        place = f"position {fact.position}, event {fact.event_id}, {stamp(fact.recorded_at)}"
        typer.echo(f"{fact.projection}: {place}\n    {fact.reason}")
    if not facts:
        typer.echo("Nothing was set aside.")


def _teller(as_json: bool) -> Callable[[Standing], None]:
    def tell(standing: Standing) -> None:
        typer.echo(json.dumps(standing.answer()) if as_json else str(standing))
        sys.stdout.flush()

    return tell


def _answer(fact: SetAside) -> dict[str, Any]:
    return {**asdict(fact), "recorded_at": stamp(fact.recorded_at)}


def _done(work: Coroutine[Any, Any, T]) -> T:
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(work)
    except NoSuchProjection as error:
        give_up(error, WRONG_USE)
    except (
        ApplicationError,
        CannotProject,
        NotPrivate,
        ServerAway,
        ServerRefused,
        SqliteTooOld,
    ) as error:
        give_up(error)
