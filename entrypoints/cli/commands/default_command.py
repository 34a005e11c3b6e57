"""`statestore incidents` alone is `statestore incidents list`."""

from typing import Any

from typer.core import TyperGroup

_HELP = "--help"


class ListByDefault(TyperGroup):
    """Commands of one noun. Without a verb, or with options only, its list is meant."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args or (args[0].startswith("-") and args[0] != _HELP):
            args = ["list", *args]
        return super().parse_args(ctx, args)
