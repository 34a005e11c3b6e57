"""Showing an answer: as a drawing, as JSON, once or again and again."""

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime

import typer
from attrs import frozen
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from entrypoints.cli.commands.options import INTERVAL
from entrypoints.cli.commands.requests import answered, listed
from entrypoints.cli.rendering.screen import Screen, console
from entrypoints.cli.running_server import Answer, Query, RunningServer, ServerAway

Read = Callable[[RunningServer], Answer]
Draw = Callable[[Answer, Screen], RenderableType]


@frozen
class View:
    as_json: bool = False
    watch: bool = False
    interval: float = INTERVAL
    as_of: str | None = None

    @property
    def moment(self) -> datetime:
        """What durations are counted up to."""
        return datetime.now(UTC) if self.as_of is None else datetime.fromisoformat(self.as_of)


def show(read: Read, draw: Draw, view: View) -> None:
    if view.watch and view.as_of is not None:
        said = "say one of them: what was does not change"
        raise typer.BadParameter(said, param_hint="--as-of or --watch")
    if view.watch:
        answered(lambda server: watch(lambda: read(server), draw, view))
    else:
        once(answered(read), draw, view, console())


def show_list(
    path: str, items: str, query: Query, draw: Draw, view: View, *, most: int | None
) -> None:
    """A list as it is now, or was then; everything if `most` says nothing."""
    asked = {**query, "as_of": view.as_of}
    show(lambda server: listed(server, path, items, asked, most), draw, view)


def once(answer: Answer, draw: Draw, view: View, screen: Console) -> None:
    if view.as_json:
        typer.echo(json.dumps(answer))
    else:
        screen.print(_drawn(answer, draw, view, screen))


def watch(
    read: Callable[[], Answer],
    draw: Draw,
    view: View,
    *,
    wait: Callable[[float], None] = time.sleep,
    screen: Console | None = None,
) -> None:
    """Until Ctrl-C. On a terminal one picture is kept up to date, elsewhere each is printed.

    A server that is away for a while is told of and asked again.
    """
    screen = screen or console()
    try:
        if screen.is_terminal and not view.as_json:
            _keep_up_to_date(read, draw, view, wait, screen)
        while True:
            once(read(), draw, view, screen)
            wait(view.interval)
    except KeyboardInterrupt:
        return


def _keep_up_to_date(
    read: Callable[[], Answer],
    draw: Draw,
    view: View,
    wait: Callable[[float], None],
    screen: Console,
) -> None:
    with Live(console=screen, screen=True, auto_refresh=False) as live:
        picture: RenderableType = ""
        while True:
            said = f"{_now():%H:%M:%S} UTC, every {view.interval:g} s; Ctrl-C ends"
            try:
                picture = _drawn(read(), draw, view, screen)
            except ServerAway as error:
                said = f"{said}. Not up to date: {error}"
            live.update(Group(Text(said, style="dim"), picture), refresh=True)
            wait(view.interval)


def _drawn(answer: Answer, draw: Draw, view: View, screen: Console) -> RenderableType:
    drawn = draw(answer, Screen(view.moment, screen.width))
    if view.as_of is None:
        return drawn
    return Group(Text(f"as of {view.as_of}", style="dim"), drawn)


def _now() -> datetime:
    return datetime.now(UTC)
