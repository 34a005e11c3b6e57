"""`statestore lineage`: who writes this, who reads it, and what lies downstream."""

from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from domain.ids import Place, is_column
from entrypoints.cli.command import Json
from entrypoints.cli.commands.answer_view import View, show, show_list
from entrypoints.cli.commands.options import (
    INTERVAL,
    LIMIT,
    All,
    AsOf,
    Dataset,
    Interval,
    Limit,
    Watch,
)
from entrypoints.cli.rendering.screen import Screen, coloured, listing, table
from entrypoints.cli.running_server import Answer, api

app = typer.Typer(
    name="lineage",
    help="Who writes and reads a dataset or a column, and what depends on it.",
    epilog="For example: statestore lineage readers "
    "urn:col:urn:dp:orders:order_created:v1:customer_id",
    no_args_is_help=True,
)

Somewhere = Annotated[
    str,
    typer.Argument(metavar="URN", help="A dataset, or a column urn:col:<dataset urn>:<column>."),
]


@app.command()
def writers(
    urn: Somewhere,
    limit: Limit = LIMIT,
    everything: All = False,
    as_of: AsOf = None,
    watch: Watch = False,
    interval: Interval = INTERVAL,
    as_json: Json = False,
) -> None:
    """List who writes a dataset or a column."""
    most = None if everything else limit
    _show_entries(urn, "writers", most, View(as_json, watch, interval, as_of))


@app.command()
def readers(
    urn: Somewhere,
    limit: Limit = LIMIT,
    everything: All = False,
    as_of: AsOf = None,
    watch: Watch = False,
    interval: Interval = INTERVAL,
    as_json: Json = False,
) -> None:
    """List who reads a dataset or a column."""
    most = None if everything else limit
    _show_entries(urn, "readers", most, View(as_json, watch, interval, as_of))


@app.command()
def impact(
    urn: Dataset,
    column: Annotated[str | None, typer.Option(help="Only what depends on this column.")] = None,
    depth: Annotated[int | None, typer.Option(min=1, help="At most so far away.")] = None,
    as_of: AsOf = None,
    watch: Watch = False,
    interval: Interval = INTERVAL,
    as_json: Json = False,
) -> None:
    """Show what lies downstream of a dataset or of one of its columns."""
    path, query = api("datasets", urn, "impact"), {"field": column, "depth": depth, "as_of": as_of}
    show(lambda server: server.get(path, query), _impact, View(as_json, watch, interval, as_of))


def _show_entries(urn: str, who: str, most: int | None, view: View) -> None:
    path = api("columns" if is_column(Place(urn)) else "datasets", urn, who)
    show_list(path, who, {}, lambda answer, _: _entries(answer, who), view, most=most)


def _entries(answer: Answer, who: str) -> RenderableType:
    drawn = table("ENTITY", "TYPE", "CONFIDENCE", "COMMIT", "SINCE", "DECLARED BY")
    for one in answer[who]:
        drawn.add_row(
            one["entity_id"],
            one["entity_type"],
            one["confidence"],
            one["commit"],
            one["updated_at"],
            one["spec_id"],
        )
    empty = f"Nobody is declared among the {who} of {answer['urn']}."
    return listing(drawn, empty=empty, more=answer["next_page_token"] is not None)


def _impact(answer: Answer, screen: Screen) -> RenderableType:
    who = table("DISTANCE", "WHO", "TYPE", "READS", "CONFIDENCE")
    for one in answer["entities"]:
        via = screen.urn(one["via"])
        who.add_row(
            str(one["distance"]), one["entity_id"], one["entity_type"], via, one["confidence"]
        )
    what = table("DISTANCE", "DATASET", "TIER", "COLUMNS", "WRITTEN BY")
    for one in answer["datasets"]:
        columns = "all" if one["columns"] is None else ", ".join(one["columns"])
        name, tier = screen.urn(one["dataset_urn"]), coloured(one["tier"])
        what.add_row(str(one["distance"]), name, tier, columns, one["through"])
    left_out = answer["truncated"] or answer["depth_limit_reached"]
    below = [Text("There is more further downstream.", style="dim")] if left_out else []
    if not who.row_count:
        return Text("Nothing that is declared depends on it.")
    return Group(who, what, *below)
