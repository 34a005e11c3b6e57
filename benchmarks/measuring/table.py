"""The figures as one table for people."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from benchmarks.measuring.figures import Figure, Section

COLUMNS = ("", "State Store", "compared with", "ratio", "rounds", "target", "")
WIDTH = 150
"""A narrower terminal wraps the lines: better than figures cut short."""


def console(*, errors: bool = False) -> Console:
    """Of the output, or of errors: then the output is left to something else."""
    found = Console(stderr=errors)
    return Console(width=max(found.width, WIDTH), stderr=errors)


def show(sections: Sequence[Section], console: Console) -> None:
    table = Table(*COLUMNS, box=SIMPLE_HEAD, pad_edge=False)
    for column in table.columns:
        column.no_wrap = True
    for section in sections:
        table.add_section()
        table.add_row(f"[bold]{section.title}[/]", "", f"[italic]{section.against}[/]")
        for figure in section.figures:
            table.add_row(*_cells(figure))
    console.print(table)


def _cells(figure: Figure) -> Sequence[str]:
    return (
        f"  {figure.what}",
        figure.ours,
        figure.other,
        "" if figure.ratio is None else f"{figure.ratio:.2f}",
        f"{figure.spread[0]:.2f}–{figure.spread[1]:.2f}" if figure.spread else "",
        str(figure.target or ""),
        _verdict(figure),
    )


def _verdict(figure: Figure) -> str:
    if figure.target is None:
        return ""
    return "[red]miss[/]" if figure.missed else "[green]pass[/]"
