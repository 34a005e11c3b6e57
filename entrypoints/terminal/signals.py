"""`statestore signals`: what is not OK, one signal, and how it came to stand there."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Annotated

import typer
from rich.console import RenderableType
from rich.table import Table

from domain.moments import stamp
from entrypoints.command import Json
from entrypoints.running_server import Answer, RunningServer, api
from entrypoints.terminal.asking import listed
from entrypoints.terminal.group import ListByDefault
from entrypoints.terminal.options import (
    INTERVAL,
    LIMIT,
    All,
    Dataset,
    Interval,
    Limit,
    Owner,
    Tiers,
    Watch,
)
from entrypoints.terminal.screen import Screen, coloured, facts, listing, table
from entrypoints.terminal.view import View, show

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
    typer.Option("--state", case_sensitive=False, help="May be repeated."),
]
Kind = Annotated[str, typer.Argument(metavar="TYPE", help="Such as CONTRACT_COMPLIANCE.")]


@app.command("list")
def list_all(
    state: States = [],  # noqa: B006  # Typer copies it
    tier: Tiers = None,
    owner: Owner = None,
    limit: Limit = LIMIT,
    everything: All = False,
    watch: Watch = False,
    interval: Interval = INTERVAL,
    as_json: Json = False,
) -> None:
    """List the signals that are CRITICAL or WARNING, the worst first."""
    query = {"state": state, "tier": tier, "owner_team": owner}
    most = None if everything else limit
    show(
        lambda server: listed(server, api("signals"), "signals", query, most),
        _listed,
        View(as_json, watch, interval),
    )


@app.command("show")
def show_one(
    urn: Dataset,
    signal_type: Annotated[
        str | None, typer.Argument(metavar="[TYPE]", help="Such as FRESHNESS.")
    ] = None,
    watch: Watch = False,
    interval: Interval = INTERVAL,
    as_json: Json = False,
) -> None:
    """Show one signal of a dataset, or all of them."""
    parts = ("datasets", urn, "signals", *([signal_type] if signal_type else []))
    show(
        lambda server: server.get(api(*parts)),
        _one if signal_type else _listed,
        View(as_json, watch, interval),
    )


@app.command()
def history(
    urn: Dataset,
    signal_type: Kind,
    hours: Annotated[float, typer.Option(min=0, help="How far back windows end.")] = 24,
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

    show(latest, _history, View(as_json))


def _listed(answer: Answer, screen: Screen) -> RenderableType:
    more = answer.get("next_page_token") is not None
    return listing(signals_table(answer["signals"], screen), empty="Nothing to show.", more=more)


def signals_table(signals: Sequence[Answer], screen: Screen) -> Table:
    return _stacked(signals, screen) if screen.tight else _flat(signals, screen)


def _flat(signals: Sequence[Answer], screen: Screen) -> Table:
    wide = [] if screen.narrow else ["TIER", "OWNER"]
    drawn = table("STATE", "DATASET", "SIGNAL", "SCORE", "FOR", *wide, "FAILURE", "INCIDENT")
    for one in signals:
        drawn.add_row(
            coloured(one["state"]),
            screen.urn(one["dataset_urn"]),
            one["signal_type"],
            f"{one['score']:.3f}",
            screen.since(one["state_changed_at"]),
            *([] if screen.narrow else [one["tier"], one["owner_team"]]),
            one["failure_signature"] or "",
            one["incident_id"] or "",
        )
    return drawn


def _stacked(signals: Sequence[Answer], screen: Screen) -> Table:
    """Two lines for a signal."""
    drawn = table("STATE", "DATASET, SIGNAL", "FOR", "FAILURE, INCIDENT")
    for one in signals:
        drawn.add_row(
            coloured(one["state"]),
            f"{screen.urn(one['dataset_urn'])}\n{one['signal_type']}",
            f"{screen.since(one['state_changed_at'])}\n{one['score']:.3f}",
            f"{one['failure_signature'] or ''}\n{one['incident_id'] or ''}",
        )
    return drawn


def _one(answer: Answer, screen: Screen) -> RenderableType:
    metrics, threshold = answer["metrics"], answer["slo_threshold"]
    producer = answer["top_producer"] and " ".join(
        filter(None, [answer["top_producer"], answer["top_producer_version"]])
    )
    return facts(
        [
            ("state", coloured(answer["state"])),
            ("before", answer["previous_state"]),
            ("for", f"{screen.since(answer['state_changed_at'])}, {answer['state_changed_at']}"),
            ("breach since", answer["breach_start"]),
            ("dataset", answer["dataset_urn"]),
            ("signal", answer["signal_type"]),
            ("score", f"{answer['score']:g}" + (f" of {threshold:g}" if threshold else "")),
            ("window", f"{answer['window_start']} – {answer['window_end']}"),
            ("evidence", f"{metrics['fail_count']} of {metrics['evidence_count']} failed"),
            ("failure", answer["failure_signature"]),
            ("producer", producer),
            ("incident", answer["incident_id"]),
            ("owner", f"{answer['owner_team']}, {answer['tier']}"),
            ("version", str(answer["version"])),
        ]
    )


def _history(answer: Answer, screen: Screen) -> RenderableType:
    drawn = table("WINDOW END", "STATE", "SCORE", "FAILED", "OF", "FAILURE", "PRODUCER")
    for one in answer["evaluations"]:
        drawn.add_row(
            one["window_end"],
            coloured(one["state"]),
            f"{one['score']:.3f}",
            str(one["metrics"]["fail_count"]),
            str(one["metrics"]["evidence_count"]),
            one["failure_signature"] or "",
            " ".join(filter(None, [one["top_producer"], one["top_producer_version"]])),
        )
    return listing(drawn, empty="No window ended within this time.", more=False)
