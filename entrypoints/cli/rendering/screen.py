"""How things look on a screen: names, states and times. Never by colour alone."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from attrs import frozen
from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from domain.root_cause.durations import span

NARROW, TIGHT = 150, 125
"""Below so many columns names are shortened and columns left out, or put below each other."""

UNBOUNDED = 1_000
"""Lines that go into a file or a pipe are never folded."""

_STATES: Mapping[str, tuple[str, str]] = {
    "CRITICAL": ("✖", "bold red"),
    "WARNING": ("▲", "yellow"),
    "UNKNOWN": ("?", "magenta"),
    "OK": ("✔", "green"),
    "OPEN": ("✖", "bold red"),
    "ACKNOWLEDGED": ("▲", "yellow"),
    "RESOLVED": ("✔", "green"),
    "FAIL": ("✖", "bold red"),
    "PASS": ("✔", "green"),
    "SEV_1": ("", "bold red"),
    "SEV_2": ("", "yellow"),
    "HIGH": ("", "bold red"),
    "MEDIUM": ("", "yellow"),
}


def console() -> Console:
    screen = Console(highlight=False)
    return screen if screen.is_terminal else Console(highlight=False, width=UNBOUNDED)


@frozen
class Screen:
    """What a drawing must know: the time, and whether there is room."""

    now: datetime
    width: int = UNBOUNDED

    @property
    def narrow(self) -> bool:
        return self.width < NARROW

    @property
    def tight(self) -> bool:
        return self.width < TIGHT

    def urn(self, urn: str) -> str:
        return urn.removeprefix("urn:dp:") if self.narrow else urn

    def since(self, at: str | None) -> str:
        """How long ago, in its largest unit."""
        return "" if at is None else span(self.now - datetime.fromisoformat(at))


def coloured(word: str | None) -> Text:
    """A state, status or severity, with a sign where it has one."""
    sign, style = _STATES.get(word or "", ("", ""))
    return Text(f"{sign} {word}" if sign else word or "", style=style)


def table(*columns: str, title: str | None = None) -> Table:
    drawn = Table(
        box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, title=title, title_justify="left"
    )
    for column in columns:
        # An id that is broken in two cannot be copied.
        drawn.add_column(column, overflow="fold", no_wrap=column == "INCIDENT")
    return drawn


def facts(pairs: Sequence[tuple[str, RenderableType | None]]) -> Table:
    """Names and values, a line each; what has no value is left out."""
    drawn = Table.grid(padding=(0, 2))
    for name, value in pairs:
        if value not in (None, ""):
            drawn.add_row(Text(name, style="dim"), value)
    return drawn


def listing(drawn: Table, *, empty: str, more: bool) -> RenderableType:
    """A table with a word below it when there is nothing, or more."""
    if not drawn.row_count:
        return Text(empty)
    below = Text("There are more: --limit or --all shows them.", style="dim")
    return Group(drawn, below) if more else drawn
