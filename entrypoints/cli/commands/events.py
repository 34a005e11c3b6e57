"""`statestore events`: what happens, as it happens."""

import json
from datetime import UTC, datetime
from itertools import islice
from typing import Annotated

import typer

from application.delivery.event import EventType
from entrypoints.cli.command import Json
from entrypoints.cli.commands.options import choices, one_of
from entrypoints.cli.commands.requests import answered
from entrypoints.cli.event_reader import EventReading
from entrypoints.cli.rendering.events import event_line
from entrypoints.cli.rendering.screen import Screen, console
from entrypoints.cli.running_server import Query, RunningServer, ServerAway, ServerRefused

Types = Annotated[
    list[EventType],
    typer.Option(
        "--type",
        parser=one_of(EventType),
        metavar=choices(EventType),
        help="Only such events. May be repeated.",
    ),
]
Datasets = Annotated[
    list[str],
    typer.Option("--dataset", metavar="URN", help="Only of this dataset. May be repeated."),
]
After = Annotated[
    str | None,
    typer.Option(metavar="POSITION", help="What was recorded after it; without one, from now on."),
]
Limit = Annotated[
    int | None, typer.Option("--limit", min=1, help="End after so many. Without it: Ctrl-C.")
]


def events(
    type_: Types = [],  # noqa: B006  # Typer copies it
    dataset: Datasets = [],  # noqa: B006
    after: After = None,
    limit: Limit = None,
    as_json: Json = False,
) -> None:
    """Show events as they are recorded, a line each, until Ctrl-C.

    A server that goes away later is waited for, which is said on stderr, and what was missed is
    shown.
    """
    query: Query = {"type": type_, "dataset_urn": dataset, "after": after}
    answered(lambda server: _show(server, query, limit, as_json))


def _show(server: RunningServer, query: Query, limit: int | None, as_json: bool) -> None:
    screen, reading = console(), EventReading(server, query, on_away=_say_that_we_wait)
    try:
        for event in islice(reading.events(), limit):
            if as_json:
                typer.echo(json.dumps(event))
            else:
                screen.print(event_line(event, Screen(datetime.now(UTC), screen.width)))
    except KeyboardInterrupt:
        return


def _say_that_we_wait(error: ServerAway | ServerRefused) -> None:
    typer.echo(f"statestore: {error}; waiting for it, Ctrl-C ends that", err=True)
