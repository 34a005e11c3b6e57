"""`statestore tables`: look after the tables. The settings say which ones."""

import asyncio
import json
from collections.abc import Coroutine, Sequence
from typing import Annotated, Any, TypeVar

import typer

from entrypoints.cli.command import FAILED, WRONG_USE, Json, give_up, settings
from entrypoints.cli.commands.default_command import ListByDefault
from entrypoints.settings.loading import Settings

app = typer.Typer(
    name="tables",
    cls=ListByDefault,
    help="Look after the tables: what they should be, what they are, what is in them.",
    epilog="For example: statestore tables check signal-state incident-index",
)

Tables = Annotated[
    list[str] | None,
    typer.Argument(metavar="[TABLE]...", help="Only these, such as signal-state. Otherwise all."),
]

T = TypeVar("T")


@app.command("list")
def list_tables(tables: Tables = None, as_json: Json = False) -> None:
    """Show the tables there should be, with what is in those that there are.

    On DynamoDB rows and sizes are DynamoDB's own counts, up to six hours old.
    """
    from entrypoints.cli.rendering.screen import console
    from entrypoints.cli.tables.rendering import drawn_list

    current, entries = settings(), _looked_at(tables)
    if as_json:
        _answer(entries, current)
    else:
        console().print(drawn_list(entries, current.kept_for, local=_local(current)))


@app.command()
def describe(tables: Tables = None, as_json: Json = False) -> None:
    """Tell everything about the tables: keys, indexes, expiry, billing, recovery, stream, tags."""
    from entrypoints.cli.rendering.screen import console
    from entrypoints.cli.tables.rendering import drawn_table

    current, entries = settings(), _looked_at(tables)
    if as_json:
        _answer(entries, current)
        return
    for entry in entries:
        console().print(drawn_table(entry, current.kept_for, local=_local(current)))


@app.command()
def create(tables: Tables = None, as_json: Json = False) -> None:
    """Make the tables that are missing, and leave the others as they are.

    On DynamoDB those that are there also get the copies, the stream and the tags they lack. A table
    that is another one than ours is refused and stays as it is. Exit code 0: all tables are there.
    """
    stock, wanted = _chosen(tables)
    made = _done(stock.create(wanted))
    if as_json:
        typer.echo(json.dumps({"tables": [{"table": t.name, "made": new} for t, new in made]}))
        return
    for table, new in made:
        typer.echo(f"{table.name}: {'made' if new else 'was there already'}")


@app.command()
def check(tables: Tables = None, as_json: Json = False) -> None:
    """Compare the tables with what they must be, and tell everything that differs.

    Exit code 0: nothing does; 1: something does, or the store cannot be asked; 2: wrong use.
    """
    entries = _looked_at(tables)
    found = {entry.table.name: list(entry.differences) for entry in entries}
    sound = not any(found.values())
    if as_json:
        typer.echo(json.dumps({"sound": sound, "differences": found}))
    else:
        for name, differences in found.items():
            told = "; ".join(differences) or "as it must be"
            typer.echo(f"{name}: {told}")
    if not sound:
        raise typer.Exit(FAILED)


@app.command()
def sweep(as_json: Json = False) -> None:
    """Throw away the rows that have ended. A server does so by itself, every ten minutes.

    On DynamoDB nothing is to be done: the tables' time to live does it. Stop the server first.
    """
    from entrypoints.cli.tables.sweep import sweep as sweeping

    swept = _done(sweeping(settings()))
    by_itself = {"reason": "DynamoDB throws rows away by itself"} if swept is None else {}
    if as_json:
        typer.echo(json.dumps({"swept": swept, **by_itself}))
    elif swept is None:
        typer.echo(f"nothing to do: {by_itself['reason']}")
    else:
        typer.echo(f"{swept:,} {'row' if swept == 1 else 'rows'} thrown away")


def _answer(entries: Sequence[Any], current: Settings) -> None:
    from entrypoints.cli.tables.inventory import answer

    typer.echo(json.dumps({"tables": [answer(entry, current.kept_for) for entry in entries]}))


def _local(current: Settings) -> bool:
    from entrypoints.engines.engine import engine_of

    return not engine_of(current).is_shared


def _looked_at(names: list[str] | None) -> Sequence[Any]:
    stock, wanted = _chosen(names)
    return _done(stock.look(wanted))


def _chosen(names: list[str] | None) -> tuple[Any, Sequence[Any]]:
    from entrypoints.cli.tables.inventory import NoTables
    from entrypoints.cli.tables.selection import UnknownTable, chosen
    from entrypoints.engines.engine import engine_of

    current = settings()
    try:
        stock = engine_of(current).tables(current)
        return stock, chosen(stock.tables, names or (), current.table_prefix)
    except UnknownTable as error:
        give_up(error, WRONG_USE)
    except NoTables as error:
        give_up(error)


def _done(work: Coroutine[Any, Any, T]) -> T:
    """The result; the command ends with 1 and a clear word if there is none."""
    from adapters.sqlite.connection.connections import SqliteTooOld
    from adapters.sqlite.connection.folder_lock import FolderInUse
    from application.errors import ApplicationError
    from entrypoints.cli.tables.inventory import NoTables

    try:
        return asyncio.run(work)
    except (ApplicationError, FolderInUse, NoTables, OSError, SqliteTooOld) as error:
        give_up(error)
