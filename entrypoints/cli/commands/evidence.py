"""`statestore evidence show` and `list`: what records looked like when they were checked."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from domain.timestamps import stamp
from entrypoints.cli.command import Json
from entrypoints.cli.commands.answer_view import View, show
from entrypoints.cli.commands.durations import span_of
from entrypoints.cli.commands.options import INTERVAL, LIMIT, All, Dataset, Interval, Limit, Watch
from entrypoints.cli.commands.requests import listed
from entrypoints.cli.rendering.evidence import drawn_evidence, drawn_evidence_list
from entrypoints.cli.running_server import Answer, RunningServer, api
from entrypoints.interfaces.evidence_input import USUAL_HOURS

Since = Annotated[
    timedelta | None,
    typer.Option(
        parser=span_of,
        metavar="SPAN",
        help=f"How far back: 30min, 2h, 3d; {USUAL_HOURS}h if nothing is said. "
        "What is older is read from the archive.",
    ),
]


def show_one(
    evidence: Annotated[str, typer.Argument(metavar="EVD", help="Such as evd-01HQXY8MNP….")],
    as_json: Json = False,
) -> None:
    """Show evidence, from the archive if it has expired."""
    show(lambda server: server.get(api("evidence", evidence)), drawn_evidence, View(as_json))


def list_all(
    dataset: Dataset,
    since: Since = None,
    limit: Limit = LIMIT,
    everything: All = False,
    watch: Watch = False,
    interval: Interval = INTERVAL,
    as_json: Json = False,
) -> None:
    """List the evidence of a dataset, the last created first."""
    path, most = api("datasets", dataset, "evidence"), None if everything else limit

    def read(server: RunningServer) -> Answer:
        # While watched, the span moves along.
        span = {"created_since": stamp(datetime.now(UTC) - since)} if since is not None else {}
        return listed(server, path, "evidence", span, most)

    show(read, drawn_evidence_list, View(as_json, watch, interval))
