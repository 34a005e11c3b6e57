"""The arguments and options that several commands take."""

from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, TypeVar

import typer

from domain.dataset.tier import Tier
from entrypoints.cli.commands.durations import moment_of

W = TypeVar("W", bound=StrEnum)


def one_of(words: type[W]) -> Callable[[str], W]:
    """Reads one of the words, in capitals or not."""

    def read(text: str) -> W:
        if text.upper() not in words.__members__:
            raise typer.BadParameter(f"{text!r} is none of {', '.join(words)}")
        return words[text.upper()]

    return read


def choices(words: type[StrEnum]) -> str:
    """As the help shows them."""
    return f"[{'|'.join(words)}]"


Dataset = Annotated[
    str, typer.Argument(metavar="URN", help="The dataset, urn:dp:<domain>:<name>:v<n>.")
]
Tiers = Annotated[
    Tier | None,
    typer.Option(
        "--tier", parser=one_of(Tier), metavar=choices(Tier), help="Only datasets of this tier."
    ),
]
Owner = Annotated[str | None, typer.Option("--owner", help="Only what this team owns.")]

Limit = Annotated[int, typer.Option("--limit", min=1, help="At most so many.")]
All = Annotated[bool, typer.Option("--all", help="All there are, whatever the limit.")]
Watch = Annotated[bool, typer.Option("--watch", "-w", help="Look again and again, until Ctrl-C.")]
Interval = Annotated[
    float, typer.Option("--interval", min=0.1, help="Seconds between looks, with --watch.")
]

AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        metavar="TIME",
        parser=moment_of,
        help="As it was then (ISO 8601), instead of now; not with --watch.",
    ),
]

INTERVAL = 2.0
LIMIT = 50
