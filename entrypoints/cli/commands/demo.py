"""`statestore demo`: a data platform to look at, and an incident that unfolds."""

import json
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.tokens.admin_token import TOKEN_FILE
from entrypoints.cli.command import Json, give_up
from entrypoints.cli.commands.requests import answered
from entrypoints.cli.rendering.screen import console
from entrypoints.cli.running_server import RunningServer

if TYPE_CHECKING:
    from entrypoints.cli.demo.demo import Demo
    from entrypoints.cli.demo.tour import StoryClock

FASTEST = 1_000


def demo(
    seed: Annotated[
        int, typer.Option(min=0, max=999_999, help="The same seed, the same numbers.")
    ] = 7,
    speed: Annotated[
        float, typer.Option(min=0.1, max=FASTEST, help="How fast the story is told; 1: a minute.")
    ] = 1.0,
    once: Annotated[
        bool, typer.Option("--once", help="End after the story; no traffic after it.")
    ] = False,
    tour: Annotated[
        bool, typer.Option("--tour", help="Stop on the way, and run what a user would type.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask, wherever the server is.")] = False,
    as_json: Json = False,
) -> None:
    """Fill the running server with a data platform, and let an incident unfold.

    Forty datasets in six domains with a day of history; then a bad deployment drops customer_id,
    its consumers suffer, and a rollback heals it. Traffic goes on until Ctrl-C. May be run again
    on the same store. Watch it from another terminal: statestore signals --watch
    """
    if tour and as_json:
        raise typer.BadParameter("a tour is for people", param_hint="--json")

    def run(server: RunningServer) -> None:
        from entrypoints.cli.demo.tour import StoryClock

        if not (yes or server.settings.is_loopback):
            typer.confirm(f"Fill {server.base} with invented data?", abort=True)
        clock = StoryClock(lambda: datetime.now(UTC))
        shown = _demo(server, clock, seed, speed, silent=as_json)
        with _ending_well(shown):
            _guide(shown, clock) if tour else _perform(shown, once)
        if as_json:
            typer.echo(json.dumps(shown.summary()))

    answered(run)


def _demo(
    server: RunningServer, clock: "StoryClock", seed: int, speed: float, *, silent: bool
) -> "Demo":
    from entrypoints.cli.demo.demo import Demo, Pace
    from entrypoints.cli.demo.progress import Narrator
    from entrypoints.cli.demo.seeded_random import Dice
    from entrypoints.cli.demo.sender import Sender

    pace, narrator = Pace(clock.now, time.sleep), Narrator(console(), silent)
    return Demo(Dice(seed), speed, Sender(server), pace, narrator)


def _perform(demo: "Demo", once: bool) -> None:
    demo.fill()
    demo.narrator.show("", "Look from another terminal: statestore signals --watch", "")
    demo.play(demo.story().beats())
    if not once:
        demo.narrator.show("", "Traffic goes on. Ctrl-C ends it.", "")
        demo.stay()


def _guide(demo: "Demo", clock: "StoryClock") -> None:
    from entrypoints.cli.demo.tour import Tour

    server = demo.sender.server
    file = quote(str(server.settings.data_dir / TOKEN_FILE))
    token = "$STATESTORE_ADMIN_TOKEN" if server.settings.admin_token else f"$(cat {file})"
    Tour(demo, clock, run=_type, pause=_wait_for_the_reader).take(server.base, token)


def _type(words: Sequence[str]) -> None:
    """Run a command as if it had been typed. One that fails has said why; the tour goes on."""
    from entrypoints.cli.app import app

    app(list(words), standalone_mode=False)


def _wait_for_the_reader() -> None:
    if sys.stdin.isatty() and sys.stdout.isatty():
        try:
            input("Enter goes on, Ctrl-C ends. ")
        except EOFError:
            raise KeyboardInterrupt from None


@contextmanager
def _ending_well(demo: "Demo") -> Iterator[None]:
    """Being asked to stop, by Ctrl-C or SIGTERM, is a good end."""
    from entrypoints.cli.demo.sender import UpdatesRefused

    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except UpdatesRefused as error:
        give_up(error)
    except (KeyboardInterrupt, typer.Abort):
        demo.narrator.show("", "Stopped. What was sent stays in the store.")
    finally:
        signal.signal(signal.SIGTERM, before)
