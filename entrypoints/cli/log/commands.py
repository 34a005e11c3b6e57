"""`statestore log`: look after the event log. The settings say which one."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from entrypoints.cli.command import FAILED, WRONG_USE, Json, give_up, settings, show
from entrypoints.cli.plurals import counted

app = typer.Typer(
    name="log",
    help="Look after the event log: check and mend it, see what it holds, move it elsewhere.",
    epilog="For example: statestore log export log.gz, then "
    "STATESTORE_ENGINE=dynamodb statestore log import log.gz",
    no_args_is_help=True,
)


@app.command()
def check(
    everything: Annotated[
        bool, typer.Option("--all", help="Tell all of each kind, not only the first 20.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Walk the whole log and tell everything that is wrong with it.

    A server may go on writing meanwhile. On DynamoDB the whole table is read. Exit code 0: nothing
    is wrong; 1: something is, or the log cannot be read; 2: wrong use.
    """
    from entrypoints.cli.log import check as checking
    from entrypoints.cli.log.progress import progress_shown
    from entrypoints.cli.log.running import done, mapper_of

    current = settings()
    mapper = mapper_of(current)
    with progress_shown(quiet=as_json) as progress:
        tell = _teller(as_json)
        report = done(checking.check(current, mapper, progress, tell, everything=everything))
    _answer(report.answer(), str(report), as_json)
    if not report.sound:
        raise typer.Exit(FAILED)


@app.command()
def repair(
    apply: Annotated[bool, typer.Option("--apply", help="Do it, instead of telling it.")] = False,
    as_json: Json = False,
) -> None:
    """Tell what could be mended; with --apply, mend it.

    On DynamoDB spans and blocks are made anew from the log batches, which are the truth and stay
    as they are. On SQLite the indexes are; there the server must be stopped first. What cannot be
    mended is told: restore it from a copy. Exit code 0: nothing is left; 1: something is.
    """
    from entrypoints.cli.log import repair as repairing
    from entrypoints.cli.log.progress import progress_shown
    from entrypoints.cli.log.running import done, mapper_of

    current = settings()
    mapper = mapper_of(current)
    with progress_shown(quiet=as_json) as progress:
        outcome = done(repairing.repair(current, mapper, progress, _teller(as_json), apply=apply))
    _answer(outcome.answer(), str(outcome), as_json)
    if outcome.left or (outcome.mended and not apply):
        raise typer.Exit(FAILED)


@app.command()
def stats(as_json: Json = False) -> None:
    """Count what the log holds: events, streams, bytes, snapshots, first and last.

    On DynamoDB the whole table is read once, and the capacity units that took are told.
    """
    from entrypoints.cli.log.progress import progress_shown
    from entrypoints.cli.log.running import done
    from entrypoints.cli.log.stats import count

    current = settings()
    with progress_shown(quiet=as_json) as progress:
        counted = done(count(current, progress))
    show(counted, as_json)


@app.command()
def tail(
    last: Annotated[int, typer.Option("-n", "--last", min=0, help="So many before.")] = 20,
    follow: Annotated[
        bool, typer.Option("--follow/--no-follow", help="Go on until Ctrl-C.")
    ] = True,
    as_json: Json = False,
) -> None:
    """Show the last events, and new ones as they are recorded, a line each.

    Position, time, stream@version, name, by whom, and what happened. In JSON a line is as in an
    export.
    """
    from entrypoints.cli.log import tail as tailing
    from entrypoints.cli.log.running import done, mapper_of

    current = settings()
    mapper = mapper_of(current)
    try:
        done(tailing.tail(current, mapper, typer.echo, last=last, follow=follow, as_json=as_json))
    except KeyboardInterrupt:
        # Being told to end is how this ends.
        raise typer.Exit from None


@app.command("export")
def export_to(
    file: Annotated[Path, typer.Argument(help="The file to write, gzip around JSON lines.")],
    first: Annotated[int, typer.Option("--from", min=1, help="The first position.")] = 1,
    last: Annotated[int | None, typer.Option("--to", min=1, help="The last position.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
    as_json: Json = False,
) -> None:
    """Write the log to one file that can be imported by any engine.

    Everything up to the end of the log as it is now; a server may go on writing meanwhile.
    """
    from entrypoints.cli.log.progress import progress_shown
    from entrypoints.cli.log.running import done
    from entrypoints.cli.log.transfer import NoSuchPositions, export
    from entrypoints.wiring.locations import key_file

    if file.is_dir():
        give_up(IsADirectoryError(f"{file} is a folder: choose a file"), WRONG_USE)
    if file.exists() and not force:
        give_up(FileExistsError(f"{file} exists: choose another one, or --force"), WRONG_USE)
    current = settings()
    try:
        with progress_shown(quiet=as_json) as progress:
            header = done(export(current, file, progress, first=first, last=last))
    except NoSuchPositions as error:
        give_up(error, WRONG_USE)
    answer = {"file": str(file), "events": header.events, "first": first, "last": header.last}
    what = counted(header.events, "event")
    told = f"Wrote {what} to {file}, positions {first} to {header.last}."
    apart = f"Personal data stays sealed in it: take {key_file(current)} along, by another way."
    _answer(answer, f"{told} {apart}", as_json)


@app.command("import")
def import_from(
    file: Annotated[Path, typer.Argument(help="A file that `log export` has written.")],
    as_json: Json = False,
) -> None:
    """Take over a log from a file, with the same positions, times and event ids.

    The log must be empty, or a beginning of what the file holds: an import that was interrupted
    is run again and goes on where it ended. The file is checked before anything is stored. Stop
    the server first.
    """
    from adapters.eventstore.export.file_format import BadExport
    from adapters.eventstore.export.reader import ExportReader
    from entrypoints.cli.log.progress import progress_shown
    from entrypoints.cli.log.running import done
    from entrypoints.cli.log.transfer import take_over
    from entrypoints.wiring.locations import key_file

    current = settings()
    try:
        ExportReader(file).header()
    except BadExport as error:
        give_up(error)
    with progress_shown(quiet=as_json) as progress:
        ended = done(take_over(current, file, progress))
    answer = {"file": str(file), "stored": ended.stored, "found": ended.found}
    told = f"Stored {counted(ended.stored, 'event')}; {ended.found:,} had been there before."
    apart = f"Personal data stays sealed: its keys go to {key_file(current)}, by another way."
    _answer(answer, f"{told} {apart}", as_json)


def _teller(as_json: bool) -> Any:
    return (lambda line: None) if as_json else typer.echo


def _answer(answer: dict[str, Any], told: str, as_json: bool) -> None:
    typer.echo(json.dumps(answer) if as_json else told)
