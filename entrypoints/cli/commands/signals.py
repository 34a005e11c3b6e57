"""`statestore signals`: what is not OK, one signal, and how it came to stand there."""

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Annotated

import typer

from domain.timestamps import stamp
from entrypoints.cli.command import Json
from entrypoints.cli.commands.answer_view import View, show, show_list
from entrypoints.cli.commands.default_command import ListByDefault
from entrypoints.cli.commands.options import (
    INTERVAL,
    LIMIT,
    All,
    AsOf,
    Dataset,
    Interval,
    Limit,
    Owner,
    Tiers,
    Watch,
    choices,
    one_of,
)
from entrypoints.cli.commands.requests import listed
from entrypoints.cli.rendering.signals import drawn_history, drawn_signal, drawn_signals
from entrypoints.cli.running_server import Answer, Query, RunningServer, api

app = typer.Typer(
    name="signals",
    cls=ListByDefault,
    help="What is not OK, and how it came about. Alone: the list.",
    epilog="For example: statestore signals --tier TIER_1 --watch",
)


class NotOk(StrEnum):
    """What can be listed; what is well is not indexed."""

    CRITICAL = "CRITICAL"
    WARNING = "WARNING"
    UNKNOWN = "UNKNOWN"


States = Annotated[
    list[NotOk],
    typer.Option("--state", parser=one_of(NotOk), metavar=choices(NotOk), help="May be repeated."),
]
Kind = Annotated[str, typer.Argument(metavar="TYPE", help="Such as CONTRACT_COMPLIANCE.")]


@app.command("list")
def list_all(
    state: States = [],  # noqa: B006  # Typer copies it
    tier: Tiers = None,
    owner: Owner = None,
    limit: Limit = LIMIT,
    everything: All = False,
    as_of: AsOf = None,
    watch: Watch = False,
    interval: Interval = INTERVAL,
    as_json: Json = False,
) -> None:
    """List the signals that are CRITICAL or WARNING, the worst first."""
    query: Query = {"state": state, "tier": tier, "owner_team": owner}
    view = View(as_json, watch, interval, as_of)
    most = None if everything else limit
    show_list(api("signals"), "signals", query, drawn_signals, view, most=most)


@app.command("show")
def show_one(
    urn: Dataset,
    signal_type: Annotated[
        str | None, typer.Argument(metavar="[TYPE]", help="Such as FRESHNESS.")
    ] = None,
    as_of: AsOf = None,
    watch: Watch = False,
    interval: Interval = INTERVAL,
    as_json: Json = False,
) -> None:
    """Show one signal of a dataset, or all of them."""
    parts = ("datasets", urn, "signals", *([signal_type] if signal_type else []))
    show(
        lambda server: server.get(api(*parts), {"as_of": as_of}),
        drawn_signal if signal_type else drawn_signals,
        View(as_json, watch, interval, as_of),
    )


@app.command()
def history(
    urn: Dataset,
    signal_type: Kind,
    hours: Annotated[float, typer.Option(min=0, max=87_600, help="How far back windows end.")] = 24,
    limit: Limit = LIMIT,
    everything: All = False,
    as_json: Json = False,
) -> None:
    """Show the evaluations of a signal, the latest ones last."""
    since = stamp(datetime.now(UTC) - timedelta(hours=hours))
    path = api("datasets", urn, "signals", signal_type, "history")

    def latest(server: RunningServer) -> Answer:
        answer = listed(server, path, "evaluations", {"from": since})
        kept = answer["evaluations"] if everything else answer["evaluations"][-limit:]
        return {**answer, "evaluations": kept}

    show(latest, drawn_history, View(as_json))
