"""`statestore incidents`: what is open, how it came about, and looking after it."""

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Annotated

import typer

from domain.incident.severity import Severity
from domain.incident.values import ResolutionReason
from domain.timestamps import stamp
from entrypoints.cli.command import Json
from entrypoints.cli.commands.answer_view import View, once, show, show_list
from entrypoints.cli.commands.default_command import ListByDefault
from entrypoints.cli.commands.durations import span_of
from entrypoints.cli.commands.options import (
    INTERVAL,
    LIMIT,
    All,
    AsOf,
    Interval,
    Limit,
    Owner,
    Watch,
    choices,
    one_of,
)
from entrypoints.cli.commands.requests import answered, listed
from entrypoints.cli.rendering.contexts import drawn_context
from entrypoints.cli.rendering.incidents import changed, drawn_impact, drawn_incident, drawn_list
from entrypoints.cli.rendering.screen import console
from entrypoints.cli.running_server import Answer, Query, RunningServer, api

app = typer.Typer(
    name="incidents",
    cls=ListByDefault,
    help="What is open, and looking after it. Alone: the list.",
    epilog="For example: statestore incidents ack INC-7721",
)


class Shown(StrEnum):
    OPEN = "OPEN"
    ACKNOWLEDGED = "ACKNOWLEDGED"
    RESOLVED = "RESOLVED"


Name = Annotated[str, typer.Argument(metavar="ID", help="The incident, INC-….")]
Statuses = Annotated[
    list[Shown],
    typer.Option("--status", parser=one_of(Shown), metavar=choices(Shown), help="May be repeated."),
]
Severities = Annotated[
    list[Severity],
    typer.Option(
        "--severity", parser=one_of(Severity), metavar=choices(Severity), help="May be repeated."
    ),
]


@app.command("list")
def list_all(
    status: Statuses = [],  # noqa: B006  # Typer copies it
    severity: Severities = [],  # noqa: B006
    dataset: Annotated[str | None, typer.Option(metavar="URN", help="Only of this one.")] = None,
    owner: Owner = None,
    since: Annotated[
        str | None, typer.Option("--from", metavar="TIME", help="Opened then or later (ISO 8601).")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--to", metavar="TIME", help="Opened then or earlier.")
    ] = None,
    limit: Limit = LIMIT,
    everything: All = False,
    as_of: AsOf = None,
    watch: Watch = False,
    interval: Interval = INTERVAL,
    as_json: Json = False,
) -> None:
    """List incidents: open ones first, then acknowledged, then resolved ones."""
    query: Query = {
        "status": status,
        "severity": severity,
        "dataset_urn": dataset,
        "owner_team": owner,
        "from": since,
        "to": until,
    }
    view = View(as_json, watch, interval, as_of)
    most = None if everything else limit
    show_list(api("incidents"), "incidents", query, drawn_list, view, most=most)


@app.command("show")
def show_one(
    incident: Name,
    as_of: AsOf = None,
    watch: Watch = False,
    interval: Interval = INTERVAL,
    as_json: Json = False,
) -> None:
    """Show an incident and who did what about it, when."""

    def read(server: RunningServer) -> Answer:
        query = {"as_of": as_of}
        told = server.get(api("incidents", incident), query)
        path = api("incidents", incident, "timeline")
        return {"incident": told, "timeline": listed(server, path, "timeline", query)["timeline"]}

    show(read, drawn_incident, View(as_json, watch, interval, as_of))


@app.command()
def impact(incident: Name, as_of: AsOf = None, as_json: Json = False) -> None:
    """Show who is affected: when it opened, and now."""
    path, query = api("incidents", incident, "impact"), {"as_of": as_of}
    show(lambda server: server.get(path, query), drawn_impact, View(as_json, as_of=as_of))


@app.command()
def ack(incident: Name, as_json: Json = False) -> None:
    """Say that somebody looks after it."""
    _change(incident, {"status": "ACKNOWLEDGED"}, as_json)


@app.command()
def assign(
    incident: Name,
    who: Annotated[str | None, typer.Argument(help="The person; nobody, if left out.")] = None,
    as_json: Json = False,
) -> None:
    """Put somebody on call for it."""
    _change(incident, {"oncall_user": who}, as_json)


@app.command()
def severity(
    incident: Name,
    to: Annotated[
        Severity,
        typer.Argument(metavar="SEVERITY", parser=one_of(Severity), help=choices(Severity)),
    ],
    as_json: Json = False,
) -> None:
    """Change how bad it is."""
    _change(incident, {"severity": to}, as_json)


@app.command()
def note(
    incident: Name,
    text: Annotated[str, typer.Argument(help="Not the place for names: notes are not sealed.")],
    as_json: Json = False,
) -> None:
    """Add a note to its timeline."""
    _change(incident, {"note": text}, as_json)


@app.command(epilog="For example: statestore incidents explain INC-7721")
def explain(
    incident: Name,
    summary: Annotated[
        str | None,
        typer.Argument(help="Write this down as what caused it, instead (RCA summary)."),
    ] = None,
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Show all there is about an incident, its most likely cause first."""
    if summary is not None:
        _change(incident, {"rca_summary": summary}, as_json)
        return
    path, query = api("incidents", incident, "context"), {"as_of": as_of}
    show(lambda server: server.get(path, query), drawn_context, View(as_json, as_of=as_of))


@app.command(
    epilog="For example: statestore incidents resolve INC-7721 --reason ROLLED_BACK "
    '--root-cause "v3.17 dropped customer_id" --mitigation "rolled back to v3.16"'
)
def resolve(
    incident: Name,
    root_cause: Annotated[str, typer.Option(help="What caused it.")],
    reason: Annotated[
        ResolutionReason,
        typer.Option(
            parser=one_of(ResolutionReason),
            metavar=choices(ResolutionReason),
            help="Why it is over.",
        ),
    ] = ResolutionReason.OTHER,
    mitigation: Annotated[str | None, typer.Option(help="What was done about it.")] = None,
    by: Annotated[str | None, typer.Option(help="Who resolved it.")] = None,
    as_json: Json = False,
) -> None:
    """Say that it is over, and why."""
    resolution = {
        "root_cause": root_cause,
        "reason": reason,
        "mitigation": mitigation,
        "resolved_by": by,
    }
    _change(incident, {"status": "RESOLVED", "resolution": resolution}, as_json)


@app.command()
def reopen(
    incident: Name,
    reason: Annotated[str | None, typer.Option(help="Why it is not over.")] = None,
    as_json: Json = False,
) -> None:
    """Open a resolved incident again."""
    _act(incident, "reopen", {"reason": reason}, as_json)


@app.command(epilog="For example: statestore incidents snooze INC-7721 --for 4h")
def snooze(
    incident: Name,
    span: Annotated[
        timedelta | None,
        typer.Option("--for", metavar="SPAN", parser=span_of, help="30min, 4h or 2d."),
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="TIME", help="Or until then (ISO 8601).")
    ] = None,
    reason: Annotated[str | None, typer.Option(help="Why it can wait.")] = None,
    as_json: Json = False,
) -> None:
    """Let nobody look at it for a while."""
    if (span is None) == (until is None):
        raise typer.BadParameter("say one of them", param_hint="--for or --until")
    moment = until if span is None else stamp(datetime.now(UTC) + span)
    _act(incident, "snooze", {"until": moment, "reason": reason}, as_json)


@app.command()
def unsnooze(incident: Name, as_json: Json = False) -> None:
    """End its snooze early."""
    path = api("incidents", incident, "snooze")
    answer = answered(lambda server: server.ask("DELETE", path))
    once(answer, changed, View(as_json), console())


@app.command(epilog="For example: statestore incidents merge INC-7722 INC-7721")
def merge(
    incident: Name,
    into: Annotated[str, typer.Argument(metavar="INTO", help="The one it is a duplicate of.")],
    reason: Annotated[str | None, typer.Option(help="Why they are one.")] = None,
    as_json: Json = False,
) -> None:
    """End it as a duplicate of another one, which takes over its faults."""
    _act(incident, "merge", {"into": into, "reason": reason}, as_json)


@app.command()
def split(
    incident: Name,
    reason: Annotated[str | None, typer.Option(help="Why they are two.")] = None,
    as_json: Json = False,
) -> None:
    """Open it again, apart from the one it was merged into."""
    _act(incident, "split", {"reason": reason}, as_json)


def _act(incident: str, action: str, body: Answer, as_json: bool) -> None:
    answer = answered(lambda server: server.post(api("incidents", incident, action), body))
    once(answer, changed, View(as_json), console())


def _change(incident: str, change: Answer, as_json: bool) -> None:
    answer = answered(lambda server: server.patch(api("incidents", incident), change))
    once(answer, changed, View(as_json), console())
