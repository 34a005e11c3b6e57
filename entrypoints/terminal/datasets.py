"""`statestore datasets`: what there is, how it is, and which one a topic belongs to."""

import json
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from entrypoints.command import Json
from entrypoints.running_server import Answer, api
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
from entrypoints.terminal.signals import signals_table
from entrypoints.terminal.view import View, show

app = typer.Typer(
    name="datasets",
    cls=ListByDefault,
    help="What is registered, and how it is. Alone: the list.",
    epilog="For example: statestore datasets health urn:dp:orders:order_created:v1",
)


@app.command("list")
def list_all(
    tier: Tiers = None,
    owner: Owner = None,
    retired: Annotated[bool, typer.Option("--retired", help="Retired ones instead.")] = False,
    limit: Limit = LIMIT,
    everything: All = False,
    watch: Watch = False,
    interval: Interval = INTERVAL,
    as_json: Json = False,
) -> None:
    """List the datasets that are registered."""
    query = {"tier": tier, "owner_team": owner, "retired": "true" if retired else None}
    most = None if everything else limit
    show(
        lambda server: listed(server, api("datasets"), "datasets", query, most),
        _listed,
        View(as_json, watch, interval),
    )


@app.command("show")
def show_one(
    urn: Dataset,
    version: Annotated[str, typer.Option(help="A config version, or LATEST.")] = "LATEST",
    as_json: Json = False,
) -> None:
    """Show what is agreed about a dataset."""
    show(lambda server: server.get(api("datasets", urn), {"version": version}), _one, View(as_json))


@app.command()
def health(
    urn: Dataset,
    watch: Watch = False,
    interval: Interval = INTERVAL,
    as_json: Json = False,
) -> None:
    """Show how a dataset is: its signals and what is open about it."""
    path = api("datasets", urn, "health")
    show(lambda server: server.get(path), _health, View(as_json, watch, interval))


@app.command()
def resolve(
    topic: Annotated[str, typer.Argument(help="The raw topic.")],
    payload: Annotated[
        str, typer.Option(metavar="JSON", help="The record, as conditional rules look into it.")
    ] = "null",
    as_json: Json = False,
) -> None:
    """Tell which dataset a topic and a payload belong to, and why."""
    body = {"topic": topic, "payload": _read(payload)}
    show(lambda server: server.post(api("resolve"), body), _resolved, View(as_json))


def _read(payload: str) -> object:
    try:
        return json.loads(payload)
    except ValueError as error:
        raise typer.BadParameter(f"is not JSON: {error}", param_hint="--payload") from error


def _listed(answer: Answer, screen: Screen) -> RenderableType:
    wide = [] if screen.tight else ["NAME", "SOURCE"]
    drawn = table("DATASET", "TIER", "OWNER", "VERSION", *wide)
    for one in answer["datasets"]:
        drawn.add_row(
            screen.urn(one["dataset_urn"]),
            one["tier"],
            one["owner_team"],
            str(one["config_version"]),
            *([] if screen.tight else [one["display_name"], _source(one)]),
        )
    more = answer["next_page_token"] is not None
    return listing(drawn, empty="No dataset is registered.", more=more)


def _one(answer: Answer, _: Screen) -> RenderableType:
    contract = answer["contract_binding"] or {}
    return facts(
        [
            ("dataset", answer["dataset_urn"]),
            ("name", answer["display_name"]),
            ("description", answer["description"]),
            ("status", answer["status"]),
            ("tier", answer["tier"]),
            ("owner", answer["owner_team"]),
            ("email", answer["owner_email"]),
            ("on call", answer["oncall_rotation"]),
            ("source", _source(answer)),
            ("schema", (answer["schema_binding"] or {}).get("schema_name")),
            ("contract", contract.get("contract_id")),
            ("required", ", ".join(contract.get("required_fields") or [])),
            *_promises(answer["slos"] or {}),
            ("scanned", ", ".join((answer["pii_policy"] or {}).get("fields_to_scan") or [])),
            ("version", f"{answer['config_version']}, {answer['updated_at']}"),
        ]
    )


def _promises(slos: Answer) -> list[tuple[str, RenderableType | None]]:
    fresh, volume = slos.get("freshness"), slos.get("volume")
    compliance = slos.get("contract_compliance")
    return [
        ("fresh within", f"{fresh['max_delay_seconds']} s" if fresh else None),
        ("at least", f"{volume['min_events_per_window']} a window" if volume else None),
        ("compliance", f"{compliance['min_compliance_rate']:g}" if compliance else None),
    ]


def _source(dataset: Answer) -> str:
    source = dataset["source"] or {}
    return " ".join(filter(None, [source.get("type"), source.get("topic")]))


def _health(answer: Answer, screen: Screen) -> RenderableType:
    open_now = [f"{one['incident_id']} ({one['severity']})" for one in answer["incidents"]]
    return Group(
        facts(
            [
                ("state", coloured(answer["state"])),
                ("dataset", answer["dataset_urn"]),
                ("owner", f"{answer['owner_team']}, {answer['tier']}, {answer['status']}"),
                ("open", ", ".join(open_now)),
            ]
        ),
        signals_table(answer["signals"], screen),
    )


def _resolved(answer: Answer, _: Screen) -> RenderableType:
    drawn = table("RULE", "OF", "PATTERN", "TYPE", "PRIORITY", "SAYS", "BECAUSE")
    for step in answer["steps"]:
        drawn.add_row(
            step["rule"],
            step["owner_urn"],
            step["topic_pattern"],
            step["resolution_type"],
            str(step["priority"]),
            step["dataset_urn"] or "",
            step["because"],
        )
    broken = [f"{one['field']} {one['message']}" for one in answer["contract_violations"]]
    found = [Text(answer["dataset_urn"] or "No rule names a dataset.")]
    return Group(*found, *map(Text, broken), *([drawn] if drawn.row_count else []))
