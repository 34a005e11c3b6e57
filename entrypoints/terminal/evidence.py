"""`statestore evidence show` and `list`: what records looked like when they were checked."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from domain.moments import stamp
from entrypoints.command import Json
from entrypoints.running_server import Answer, RunningServer, api
from entrypoints.terminal.asking import listed
from entrypoints.terminal.evidence_drawings import drawn_evidence, drawn_evidence_list
from entrypoints.terminal.options import (
    INTERVAL,
    LIMIT,
    All,
    Dataset,
    Interval,
    Limit,
    Watch,
)
from entrypoints.terminal.spans import span_of
from entrypoints.terminal.view import View, show

Since = Annotated[
    timedelta,
    typer.Option(parser=span_of, metavar="SPAN", help="How far back: 30min, 2h, 3d."),
]


def show_one(
    evidence: Annotated[str, typer.Argument(metavar="EVD", help="Such as evd-01HQXY8MNP….")],
    as_json: Json = False,
) -> None:
    """Show evidence, from the archive if it has expired."""
    show(lambda server: server.get(api("evidence", evidence)), drawn_evidence, View(as_json))


def list_all(
    dataset: Dataset,
    since: Since = "24h",  # type: ignore[assignment]  # parsed as if it was typed
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
        begin = stamp(datetime.now(UTC) - since)
        return listed(server, path, "evidence", {"created_since": begin}, most)

    show(read, drawn_evidence_list, View(as_json, watch, interval))
