"""The command line: `statestore`."""

import asyncio
import json
import os
import signal
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.key_file.private_file import NotPrivate
from adapters.sqlite.connection.connections import SqliteTooOld
from adapters.sqlite.connection.folder_lock import FolderInUse
from application.errors import ApplicationError
from entrypoints.cli.command import FAILED, Json
from entrypoints.cli.command import give_up as _give_up
from entrypoints.cli.command import settings as _settings
from entrypoints.cli.command import show as _show
from entrypoints.cli.commands import (
    caches,
    datasets,
    dead_letters,
    demo,
    events,
    incidents,
    lineage,
    signals,
)
from entrypoints.cli.commands import evidence as evidence_shown
from entrypoints.cli.evidence import commands as evidence
from entrypoints.cli.log import commands as log
from entrypoints.cli.read_models import commands as read_models
from entrypoints.cli.tables import commands as tables
from entrypoints.server.garbage_collection import load_without_looking
from entrypoints.settings import loading as settings_module
from entrypoints.settings.loading import Engine, Settings

if TYPE_CHECKING:
    from entrypoints.container import Container

app = typer.Typer(
    name="statestore",
    help="The State Store: the current health of your data, and how it came about.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

app.command()(demo.demo)
app.command()(read_models.rebuild)
app.command()(read_models.verify)
app.command("restore-drill")(read_models.restore_drill)
app.command("build-draft", hidden=True)(read_models.build_draft)
app.command()(events.events)
app.add_typer(caches.app)
evidence.app.command("show")(evidence_shown.show_one)
evidence.app.command("list")(evidence_shown.list_all)
app.add_typer(evidence.app)
app.add_typer(datasets.app)
app.add_typer(dead_letters.app)
app.add_typer(incidents.app)
app.add_typer(lineage.app)
app.add_typer(signals.app)
app.add_typer(log.app)
app.add_typer(tables.app)


def main() -> None:
    load_without_looking()
    app()


@app.command()
def serve() -> None:
    """Serve HTTP and gRPC until Ctrl-C or SIGTERM. Settings come from the environment or `.env`."""
    _end_well_when_asked()
    _keep_grpc_out_of_forks()
    settings = _settings()
    import uvloop

    from entrypoints import logs
    from entrypoints.server.serve import CannotServe
    from entrypoints.server.serve import serve as serving

    logs.configure(settings)
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(serving(settings, _tell))
    except (CannotServe, FolderInUse, NotPrivate, SqliteTooOld, ApplicationError) as error:
        _give_up(error)
    _be_deaf()


@app.command()
def project(
    projections: Annotated[
        list[str] | None, typer.Argument(help="Which ones; all if none is named.")
    ] = None,
    quarantined: Annotated[
        bool,
        typer.Option("--quarantined", help="List the facts that could not be folded, and end."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Follow the log and fold read models until Ctrl-C or SIGTERM; HTTP is not served.

    Several may run beside each other and beside servers that share the tables: each projection is
    folded by one of them, and one that ends is replaced within seconds. Told are what this process
    holds and how far everything is behind; in JSON a line each time.
    """
    settings = _settings()
    from entrypoints.cli.projections import commands as projecting_commands

    if quarantined:
        projecting_commands.list_quarantined(settings, projections or (), as_json)
        return
    _end_well_when_asked()
    projecting_commands.project(settings, projections or (), as_json)
    _be_deaf()


@app.command()
def health(as_json: Json = False) -> None:
    """Ask the running server how it is. Exit code 0 means that it is ready."""
    from entrypoints.cli.commands.answer_view import View, once
    from entrypoints.cli.commands.requests import answered
    from entrypoints.cli.rendering.health import drawn_store
    from entrypoints.cli.rendering.screen import console
    from entrypoints.cli.running_server import HEALTH

    answer = answered(lambda server: server.get(HEALTH))
    once(answer, drawn_store, View(as_json), console())
    if answer.get("status") != "ok":
        raise typer.Exit(FAILED)


@app.command()
def erase(
    person: Annotated[str, typer.Argument(help="The name or address, as it was written.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Make a person's data unreadable for ever, in the log, the tables and all backups."""
    if not yes:
        typer.confirm(f"Erase {person} for ever?", abort=True)
    from entrypoints.cli.erase import NoStore
    from entrypoints.cli.erase import erase as erasing
    from entrypoints.cli.running_server import ServerAway, ServerRefused

    try:
        erased = asyncio.run(erasing(_settings(), person))
    except (
        ApplicationError,
        NoStore,
        NotPrivate,
        ServerAway,
        ServerRefused,
        SqliteTooOld,
    ) as error:
        _give_up(error)
    told = "erased" if erased else "nothing is stored of this person"
    _show({"person": person, "erased": erased} if as_json else {person: told}, as_json)


@app.command()
def openapi() -> None:
    """Print the description of the HTTP API (OpenAPI, JSON)."""
    from entrypoints.http.app import create_app
    from entrypoints.http.description.openapi import description_of

    description = description_of(create_app(_nowhere()))
    typer.echo(json.dumps(description, indent=2, ensure_ascii=False))


@app.command()
def graphql() -> None:
    """Print the GraphQL schema (SDL)."""
    from entrypoints.graphql.schema import schema

    typer.echo(schema.as_str())


@app.command()
def settings(as_json: Json = False) -> None:
    """Show every setting, its value and what it means."""
    current = _settings()
    rows = {
        settings_module.variable(name): {
            "value": _told(getattr(current, name)),
            "meaning": field.description or "",
        }
        for name, field in Settings.model_fields.items()
    }
    if as_json:
        _show(rows, as_json)
        return
    for name, row in rows.items():
        value = "" if row["value"] is None else row["value"]
        typer.echo(f"{name}={value}\n    {row['meaning']}")


def _told(value: object) -> str | None:
    return None if value is None else str(value)


def _nowhere() -> "Container":
    """The parts of a store that keeps nothing, for what only looks at the shape of things."""
    from entrypoints.container import build

    return build(Settings(engine=Engine.MEMORY))


def _tell(text: str) -> None:
    typer.echo(text)
    sys.stdout.flush()


def _end_well_when_asked() -> None:
    """Being asked to stop while still starting is a good end, too: nothing was begun."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit(0))


def _keep_grpc_out_of_forks() -> None:
    """Children only execute other programs. gRPC, which reads this when it is imported, would
    write a line of its own into the log for each of them.
    """
    os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")


def _be_deaf() -> None:
    """A stop is often asked for twice (by a terminal and by make); the second must not kill."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
