"""`statestore demo`: a data platform to look at, and an incident that unfolds."""

import json
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from entrypoints.command import Json, give_up
from entrypoints.running_server import RunningServer
from entrypoints.terminal.asking import answered
from entrypoints.terminal.screen import console

if TYPE_CHECKING:
    from entrypoints.demo.demo import Demo

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
    as_json: Json = False,
) -> None:
    """Fill the running server with a data platform, and let an incident unfold.

    Forty datasets in six domains with a day of history; then a bad deployment drops customer_id,
    its consumers suffer, and a rollback heals it. Traffic goes on until Ctrl-C. May be run again
    on the same store. Watch it from another terminal: statestore signals --watch
    """
    with _stopped_by(signal.SIGTERM):
        answered(lambda server: _run(_demo(server, seed, speed, as_json), once, as_json))


def _run(demo: "Demo", once: bool, as_json: bool) -> None:
    from entrypoints.demo.sending import UpdatesRefused

    try:
        _perform(demo, once)
    except UpdatesRefused as error:
        give_up(error)
    except KeyboardInterrupt:
        # Being asked to stop is a good end.
        demo.narrator.show("Stopped. What was sent stays in the store.")
    if as_json:
        typer.echo(json.dumps(demo.summary()))


def _perform(demo: "Demo", once: bool) -> None:
    demo.fill()
    demo.narrator.show("", "Look from another terminal: statestore signals --watch", "")
    demo.play(demo.story().beats())
    if not once:
        demo.narrator.show("", "Traffic goes on. Ctrl-C ends it.", "")
        demo.stay()


def _demo(server: RunningServer, seed: int, speed: float, silent: bool) -> "Demo":
    from entrypoints.demo.demo import Demo, Pace
    from entrypoints.demo.dice import Dice
    from entrypoints.demo.narrator import Narrator
    from entrypoints.demo.sending import Sender

    pace = Pace(lambda: datetime.now(UTC), time.sleep)
    return Demo(Dice(seed), speed, Sender(server), pace, Narrator(console(), silent))


@contextmanager
def _stopped_by(number: signal.Signals) -> Iterator[None]:
    """The signal stops what runs here as Ctrl-C does."""
    before = signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(number, before)
