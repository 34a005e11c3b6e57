"""The arguments and options that several commands take."""

from typing import Annotated

import typer

from domain.tier import Tier
from entrypoints.terminal.spans import moment_of

Dataset = Annotated[
    str, typer.Argument(metavar="URN", help="The dataset, urn:dp:<domain>:<name>:v<n>.")
]
Tiers = Annotated[
    Tier | None, typer.Option("--tier", case_sensitive=False, help="Only datasets of this tier.")
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
