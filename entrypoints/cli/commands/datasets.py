"""`statestore datasets`: what there is, how it is, and which one a topic belongs to."""

import json
from typing import Annotated

import typer

from application.datasets.policies import FallbackOnMiss
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
from entrypoints.cli.rendering.datasets import (
    drawn_dataset,
    drawn_datasets,
    drawn_health,
    drawn_resolution,
)
from entrypoints.cli.rendering.policies import drawn_policy
from entrypoints.cli.running_server import api

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
    as_of: AsOf = None,
    watch: Watch = False,
    interval: Interval = INTERVAL,
    as_json: Json = False,
) -> None:
    """List the datasets that are registered."""
    query = {"tier": tier, "owner_team": owner, "retired": "true" if retired else None}
    view = View(as_json, watch, interval, as_of)
    most = None if everything else limit
    show_list(api("datasets"), "datasets", query, drawn_datasets, view, most=most)


@app.command("show")
def show_one(
    urn: Dataset,
    version: Annotated[str, typer.Option(help="A config version, or LATEST.")] = "LATEST",
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Show what is agreed about a dataset."""
    show(
        lambda server: server.get(api("datasets", urn), {"version": version, "as_of": as_of}),
        drawn_dataset,
        View(as_json, as_of=as_of),
    )


@app.command()
def health(
    urn: Dataset,
    as_of: AsOf = None,
    watch: Watch = False,
    interval: Interval = INTERVAL,
    as_json: Json = False,
) -> None:
    """Show how a dataset is: its signals and what is open about it."""
    path, query = api("datasets", urn, "health"), {"as_of": as_of}
    show(
        lambda server: server.get(path, query), drawn_health, View(as_json, watch, interval, as_of)
    )


@app.command()
def policy(
    urn: Dataset,
    fallback: Annotated[
        FallbackOnMiss | None,
        typer.Option(
            "--fallback-on-miss",
            parser=one_of(FallbackOnMiss),
            metavar=choices(FallbackOnMiss),
            help="What to do if it is not registered, instead of what the server is set to.",
        ),
    ] = None,
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Show what enforcers are told of a dataset, registered or not."""
    query = {"fallback_on_miss": fallback, "as_of": as_of}
    show(
        lambda server: server.get(api("policies", urn), query),
        drawn_policy,
        View(as_json, as_of=as_of),
    )


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
    show(lambda server: server.post(api("resolve"), body), drawn_resolution, View(as_json))


def _read(payload: str) -> object:
    try:
        return json.loads(payload)
    except ValueError as error:
        raise typer.BadParameter(f"is not JSON: {error}", param_hint="--payload") from error
