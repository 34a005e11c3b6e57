"""`statestore dead-letters`: events that sinks would not take."""

from typing import Annotated

import typer
from attrs import define

from entrypoints.cli.command import FAILED, Json, give_up, show
from entrypoints.cli.commands.answer_view import View, show_list
from entrypoints.cli.commands.answer_view import show as shown
from entrypoints.cli.commands.default_command import ListByDefault
from entrypoints.cli.commands.options import INTERVAL, LIMIT, All, Interval, Limit, Watch
from entrypoints.cli.commands.requests import answered, listed
from entrypoints.cli.rendering.events import drawn_letter, drawn_letters
from entrypoints.cli.running_server import HEALTH, Answer, RunningServer, ServerRefused, api

app = typer.Typer(
    name="dead-letters",
    cls=ListByDefault,
    help="Events that sinks would not take. Alone: the list.",
    epilog="For example: statestore dead-letters resend webhook-oncall --all",
)

OfSink = Annotated[str | None, typer.Option("--sink", help="Only those of this sink.")]
Sink = Annotated[str, typer.Argument(help="Such as webhook-oncall, sns or eventbridge.")]
Event = Annotated[str, typer.Argument(metavar="EVENT", help="The event's id.")]
SomeEvent = Annotated[
    str | None, typer.Argument(metavar="[EVENT]", help="The event's id, unless --all.")
]
AllOfThem = Annotated[bool, typer.Option("--all", help="All of the sink's, the oldest first.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]

_PATH = "dead-letters"


@define
class UnknownSink(Exception):
    name: str
    known: list[str]

    def __str__(self) -> str:
        known = ", ".join(self.known) or "none"
        return f"the server knows no sink {self.name}, nor dead letters of it; it knows {known}"


@app.command("list")
def list_all(
    sink: OfSink = None,
    limit: Limit = LIMIT,
    everything: All = False,
    watch: Watch = False,
    interval: Interval = INTERVAL,
    as_json: Json = False,
) -> None:
    """List them by sink, the oldest events first."""
    view = View(as_json, watch, interval)
    most = None if everything else limit
    show_list(api(_PATH), "dead_letters", {"sink": sink}, drawn_letters, view, most=most)


@app.command("show")
def show_one(sink: Sink, event: Event, as_json: Json = False) -> None:
    """Show why one was set aside, and the event as it would be sent now."""
    shown(lambda server: server.get(api(_PATH, sink, event)), drawn_letter, View(as_json))


@app.command()
def resend(
    sink: Sink, event: SomeEvent = None, everything: AllOfThem = False, as_json: Json = False
) -> None:
    """Send the event again, now. Exit code 1 if it was not taken."""
    _say_which(event, everything)
    _end(_done(sink, event, "POST", "/resend"), "sent again", as_json)


@app.command()
def drop(
    sink: Sink,
    event: SomeEvent = None,
    everything: AllOfThem = False,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Forget about the event, for ever. Exit code 1 if there was none."""
    _say_which(event, everything)
    if not yes:
        _must_be_there(sink, event)
        typer.confirm(f"Drop {event or 'all dead letters of ' + sink} for ever?", abort=True)
    _end(_done(sink, event, "DELETE", ""), "dropped", as_json)


def _say_which(event: str | None, everything: bool) -> None:
    if (event is None) != everything:
        raise typer.BadParameter("say one of them", param_hint="EVENT or --all")


def _must_be_there(sink: str, event: str | None) -> None:
    """Nobody is asked about what is not there.

    In the list, not by itself: one whose event cannot be told any more can still be dropped.
    """
    found = answered(lambda server: listed(server, api(_PATH), "dead_letters", {"sink": sink}))
    names = [letter["event_id"] for letter in found["dead_letters"]]
    if event not in names and (event is not None or not names):
        give_up(LookupError(f"{sink} has no dead letter {event or ''}".rstrip()))


def _done(sink: str, event: str | None, method: str, action: str) -> Answer:
    try:
        return answered(lambda server: _each(server, sink, event, method, action))
    except UnknownSink as error:
        give_up(error)


def _end(told: Answer, what: str, as_json: bool) -> None:
    if as_json:
        show(told, as_json)
    else:
        for name, reason in told["failed"].items():
            typer.echo(f"{name} is still there: {reason}")
        typer.echo(f"{told['done']} {what}, {len(told['failed'])} still there")
    if told["failed"]:
        raise typer.Exit(FAILED)


def _each(server: RunningServer, sink: str, event: str | None, method: str, action: str) -> Answer:
    """One that is named must succeed; of all, those that do are counted, and why others do not."""
    if event is not None:
        server.ask(method, api(_PATH, sink, event) + action)
        return {"done": 1, "failed": {}}
    failed: dict[str, str] = {}
    letters = listed(server, api(_PATH), "dead_letters", {"sink": sink})["dead_letters"]
    if not letters:
        _must_be_known(server, sink)
    for letter in letters:
        try:
            server.ask(method, api(_PATH, sink, letter["event_id"]) + action)
        except ServerRefused as error:
            failed[letter["event_id"]] = error.reason
    return {"done": len(letters) - len(failed), "failed": failed}


def _must_be_known(server: RunningServer, sink: str) -> None:
    """A sink that is no longer set may still have letters; one without any must be set."""
    known = server.get(HEALTH)["sinks"]
    if sink not in known:
        raise UnknownSink(sink, sorted(known))
