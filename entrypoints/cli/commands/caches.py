"""`statestore cache`: how the caches of the running server do."""

import typer
from attrs import define
from rich.console import Group, RenderableType

from entrypoints.cli.command import Json, give_up, show
from entrypoints.cli.commands.answer_view import View, once
from entrypoints.cli.commands.requests import answered
from entrypoints.cli.rendering.screen import Screen, console, facts, table
from entrypoints.cli.running_server import Answer, api

app = typer.Typer(
    name="cache",
    no_args_is_help=True,
    help="The caches before the read models, of the running server.",
    epilog="For example: statestore cache stats",
)

_PATH = api("caches")


@define
class _NotCleared(Exception):
    reason: str

    def __str__(self) -> str:
        return f"the shared cache was not cleared: {self.reason}\nclear it again when it is back"


@app.command()
def stats(as_json: Json = False) -> None:
    """Show hit rates, sizes and latencies of each layer, since the server started."""
    answer = answered(lambda server: server.get(_PATH))
    once(answer, drawn_caches, View(as_json), console())


@app.command()
def clear(as_json: Json = False) -> None:
    """Forget what is in the server's cache and in the shared one. Nothing is lost by it.

    Exit code 1: the shared one was not cleared, because it does not answer.
    """
    answer = answered(lambda server: server.ask("DELETE", _PATH))
    told = {"in the process": answer["local"], "shared": answer["shared"]}
    show(answer if as_json else told, as_json)
    if answer["error"]:
        give_up(_NotCleared(answer["error"]))


def drawn_caches(answer: Answer, _: Screen) -> RenderableType:
    shared = answer["shared"] or {}
    summary = facts(
        [
            ("in the process", _kept(answer["local_entries"], answer["local_capacity"])),
            ("shared", _said(shared.get("entries")) if shared else "none"),
            ("error", shared.get("error")),
        ]
    )
    drawn = table("TABLE", "LAYER", "ASKED", "HITS", "RATE", "P50", "P99")
    for one in answer["layers"]:
        rate = one["hit_rate"]
        drawn.add_row(
            one["table"],
            one["layer"],
            str(one["asked"]),
            str(one["hits"]),
            "" if rate is None else f"{rate:.0%}",
            _time(one["p50_milliseconds"]),
            _time(one["p99_milliseconds"]),
        )
    return Group(summary, drawn) if drawn.row_count else summary


def _kept(entries: int, most: int) -> str:
    return f"{entries} of {most} at most" if most else "off (STATESTORE_LOCAL_CACHE_ENTRIES)"


def _said(entries: int | None) -> str:
    return "does not answer" if entries is None else str(entries)


def _time(millis: float | None) -> str:
    return "" if millis is None else f"{millis:.3f} ms"
