"""`statestore rebuild`, `verify` and `restore-drill`: the read models and their history."""

import json
from typing import Annotated

import typer

from entrypoints.cli.command import FAILED, WRONG_USE, Json, give_up, settings
from entrypoints.cli.long_work import Answer, done, tell

Projections = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PROJECTION",
        help="Which ones, such as signal-state; all, if none. `evidence` comes from its archive.",
    ),
]


def rebuild(
    projections: Projections = None,
    accept_loss: Annotated[
        bool,
        typer.Option(
            "--accept-loss", help="Of evidence: drop the cache although the archive lacks some."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Fill the tables anew from the log while the old ones are read.

    A new generation of tables is filled, catches up and takes over at once; the old one stays until
    `statestore verify` finds nothing wrong. Nothing is sent to anyone meanwhile. Interrupted, the
    next rebuild goes on where this one was. With a server running it is done there.

    `statestore rebuild evidence` drops the cache of evidence and fills it from the archive; what is
    pinned stays so. It refuses if the archive cannot be read or lacks what the cache shows, unless
    that loss is accepted.
    """
    from entrypoints.cli.evidence.commands import EVIDENCE, rebuild_evidence
    from entrypoints.cli.log.progress import progress_shown
    from entrypoints.cli.read_models import maintenance as working
    from entrypoints.cli.read_models import rendering as drawing

    if EVIDENCE in (projections or ()):
        rebuild_evidence(projections or (), accept_loss=accept_loss, as_json=as_json)
        return
    if accept_loss:
        give_up(ValueError("--accept-loss is about evidence alone"), WRONG_USE)
    names = _known(projections)
    with progress_shown(quiet=as_json) as progress:
        answer = done(working.rebuild(settings(), names, progress))
    tell(answer, drawing.rebuilt, as_json)


def verify(
    projections: Projections = None,
    repair: Annotated[
        bool, typer.Option("--repair", help="Replace what differs by what the log says.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Fold the log again and compare every row of every table with it.

    Differences are told with the facts that explain them. Where there are none, generations of
    tables that are no longer read are dropped. Exit code 0: nothing is wrong, or all was repaired;
    1: something differs; 2: wrong use.

    `statestore verify evidence` reads all of the archive of evidence and compares the cache with
    it. With --repair, a cache that differs is filled anew, if the archive has all that it shows.
    """
    from entrypoints.cli.evidence.commands import EVIDENCE, verify_evidence
    from entrypoints.cli.log.progress import progress_shown
    from entrypoints.cli.read_models import maintenance as working
    from entrypoints.cli.read_models import rendering as drawing

    if EVIDENCE in (projections or ()):
        verify_evidence(projections or (), repair=repair, as_json=as_json)
        return
    names = _known(projections)
    with progress_shown(quiet=as_json) as progress:
        answer = done(working.verify(settings(), names, progress, repair=repair))
    tell(answer, drawing.verified, as_json)
    if not answer["sound"] and not repair:
        raise typer.Exit(FAILED)


def restore_drill(as_json: Json = False) -> None:
    """Bring everything back from the log alone, and tell how long it takes.

    For when the tables are lost, or the log came back from a copy: mends the log as
    `statestore log repair` does, fills every table anew and compares all rows with the log. It may
    be tried at any time: what is read stays whole until the new tables take over. It needs a
    data folder that no server has: on the embedded engine stop the server first. On DynamoDB those
    in other folders may go on, unless the log came back from a copy: then stop all of them.
    """
    from entrypoints.cli.log.progress import progress_shown
    from entrypoints.cli.read_models import rendering as drawing
    from entrypoints.cli.read_models.restore_drill import restore
    from entrypoints.wiring.locations import key_file

    current = settings()
    with progress_shown(quiet=as_json) as progress:
        say = _silent if as_json else typer.echo
        restored = done(restore(current, key_file(current), progress, say))
    tell(restored.answer(), drawing.restored, as_json)
    if not restored.sound:
        raise typer.Exit(FAILED)


def build_draft(
    purpose: Annotated[str, typer.Argument(help="What the draft is for.")],
    projections: Annotated[list[str], typer.Argument(help="Which projections are folded.")],
    from_scratch: Annotated[bool, typer.Option("--from-scratch", help="Begin anew.")] = False,
) -> None:
    """Fold the log into a draft beside a server. The server starts it by itself."""
    from entrypoints.cli.read_models import draft_process

    def say(line: Answer) -> None:
        print(json.dumps(line), flush=True)  # noqa: T201 - a line for the process that waits

    done(draft_process.build_draft(settings(), purpose, projections, say, afresh=from_scratch))


def _known(named: list[str] | None) -> list[str]:
    """The projections that are meant."""
    from entrypoints.cli.evidence.commands import EVIDENCE
    from entrypoints.wiring.projections import projections_by_name

    known = projections_by_name(settings())
    for name in named or ():
        if name not in known:
            give_up(ValueError(f"{name} is not among {', '.join([*known, EVIDENCE])}"), WRONG_USE)
    return [name for name in known if not named or name in named]


def _silent(line: str) -> None: ...
