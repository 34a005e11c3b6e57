"""How the store itself is, as the terminal shows it."""

from collections.abc import Iterator
from datetime import timedelta

from rich.console import Group, RenderableType
from rich.text import Text

from domain.root_cause.durations import span
from entrypoints.cli.plurals import counted
from entrypoints.cli.rendering.screen import Screen, facts, table
from entrypoints.cli.running_server import Answer

_KINDS = {"projections": "projection", "policies": "policy", "sinks": "sink"}


def drawn_store(answer: Answer, _: Screen) -> RenderableType:
    """Whatever answered: what is not there is left out."""
    letters = answer.get("dead_letters")
    drawn = table("WHAT", "NAME", "BEHIND", "NOTE")
    for row in _followers(answer):
        drawn.add_row(*row)
    summary = facts(
        [
            ("status", answer.get("status") and str(answer["status"])),
            ("reason", answer.get("reason") and Text(answer["reason"])),
            ("engine", answer.get("engine")),
            ("position", answer.get("position")),
            ("dead letters", None if letters is None else str(letters)),
        ]
    )
    return Group(summary, drawn) if drawn.row_count else summary


def _followers(answer: Answer) -> Iterator[tuple[str, str, str, Text]]:
    for part, kind in _KINDS.items():
        for name, one in (answer.get(part) or {}).items():
            yield kind, name, _behind(one), Text(_note(one))


def _behind(one: Answer) -> str:
    if not one["lag_events"]:
        return "up to date"
    waiting = span(timedelta(seconds=one["lag_seconds"]))
    return f"{counted(one['lag_events'], 'event')}, {waiting}"


def _note(one: Answer) -> str:
    aside = one.get("quarantined")
    return f"{counted(aside, 'fact')} quarantined" if aside else one.get("error") or ""
