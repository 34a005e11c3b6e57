"""`statestore evidence stats`, `compact` and `purge`, `rebuild evidence` and `verify evidence`."""

from collections.abc import Sequence
from typing import Annotated

import typer

from entrypoints.cli.command import FAILED, WRONG_USE, Json, give_up, settings
from entrypoints.cli.long_work import done, tell

EVIDENCE = "evidence"
"""What is replayed and verified under this name comes from the archive, not from the log."""


app = typer.Typer(
    name=EVIDENCE,
    help="Look at evidence, and after it: what the archive holds, sorting it, purging it.",
    epilog="`statestore verify evidence` reads all of the archive and compares the cache of recent "
    "evidence with it; `statestore rebuild evidence` fills the cache from the archive.",
    no_args_is_help=True,
)


@app.command()
def stats(as_json: Json = False) -> None:
    """Count what the archive holds. With a server running it is asked."""
    from entrypoints.cli.evidence import maintenance as working
    from entrypoints.cli.evidence import rendering as drawing

    tell(done(working.stock(settings())), drawing.stock, as_json)


@app.command()
def compact(as_json: Json = False) -> None:
    """Sort what was kept into segments, one for each dataset and hour.

    A server does so every minute by itself. Evidence can be put and read all the while;
    interrupted, nothing is lost. With a server running it is done there.
    """
    from entrypoints.cli.evidence import maintenance as working
    from entrypoints.cli.evidence import rendering as drawing
    from entrypoints.cli.log.progress import progress_shown

    with progress_shown(quiet=as_json) as progress:
        answer = done(working.compact(settings(), progress))
    tell(answer, drawing.compacted, as_json)


@app.command()
def purge(
    older_than: Annotated[
        str, typer.Option("--older-than", help="How old, such as 90d. Whole hours are deleted.")
    ],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Delete old evidence from the archive for ever.

    Age counts from when it was created. What an open SEV_1 or SEV_2 incident holds is spared, and
    what was sent so lately that it is still at hand (STATESTORE_EVIDENCE_RETENTION_HOURS, and an
    hour): purge again a day later. Exit code 0: it is done; 1: it failed, or
    was not wanted; 2: wrong use.
    """
    from entrypoints.cli.commands.durations import span_of
    from entrypoints.cli.evidence import maintenance as working
    from entrypoints.cli.evidence import rendering as drawing
    from entrypoints.cli.log.progress import progress_shown

    span = span_of(older_than)
    if not yes:
        typer.confirm(
            f"Delete all evidence older than {older_than} for ever?", abort=True, err=True
        )
    with progress_shown(quiet=as_json) as progress:
        answer = done(working.forget(settings(), span, progress))
    tell(answer, drawing.forgotten, as_json)


def rebuild_evidence(named: Sequence[str], *, accept_loss: bool, as_json: bool) -> None:
    """Fill the cache anew, of evidence alone."""
    from entrypoints.cli.evidence import maintenance as working
    from entrypoints.cli.evidence import rendering as drawing
    from entrypoints.cli.log.progress import progress_shown

    _must_be_alone(named, "evidence is not filled from the log: rebuild it by itself")
    with progress_shown(quiet=as_json) as progress:
        answer = done(working.rebuild(settings(), progress, accept_loss=accept_loss))
    tell(answer, drawing.rebuilt, as_json)


def verify_evidence(named: Sequence[str], *, repair: bool, as_json: bool) -> None:
    """Read all of the archive, and compare the cache with it."""
    from entrypoints.cli.evidence import maintenance as working
    from entrypoints.cli.evidence import rendering as drawing
    from entrypoints.cli.log.progress import progress_shown

    _must_be_alone(named, "evidence is not compared with the log: verify it by itself")
    with progress_shown(quiet=as_json) as progress:
        answer = done(working.verify(settings(), progress, repair=repair))
    tell(answer, drawing.verified, as_json)
    if not answer["sound"] and not answer["repaired"]:
        raise typer.Exit(FAILED)


def _must_be_alone(named: Sequence[str], otherwise: str) -> None:
    if [*named] != [EVIDENCE]:
        give_up(ValueError(otherwise), WRONG_USE)
