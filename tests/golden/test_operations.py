"""What operators rely on: commands and their options, settings, log events."""

from collections.abc import Iterator
from enum import Enum
from typing import Any

import typer
from annotated_types import BaseMetadata
from typer.core import TyperCommand, TyperGroup

from entrypoints.cli.app import app
from entrypoints.settings.loading import Settings, variable
from tests.golden.golden import Golden
from tests.golden.log_events import log_events
from tests.golden.types import Shape, shape


def test_commands(golden: Golden) -> None:
    root = typer.main.get_command(app)
    golden.json("commands.json", dict(_commands(root, "statestore")))


def test_settings(golden: Golden) -> None:
    golden.json(
        "settings.json",
        {variable(name): _setting(field) for name, field in Settings.model_fields.items()},
    )


def test_log_events(golden: Golden) -> None:
    golden.json("log_events.json", log_events())


def _commands(command: Any, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    kind = "hidden command" if command.hidden else "command"
    yield path, {"kind": kind, "parameters": [_parameter(one) for one in command.params]}
    if isinstance(command, TyperGroup):
        for name, one in command.commands.items():
            assert isinstance(one, TyperCommand | TyperGroup)
            yield from _commands(one, f"{path} {name}")


def _parameter(one: Any) -> dict[str, Any]:
    described = {
        "names": [*one.opts, *one.secondary_opts],
        "type": shape(one.type_descriptor.annotation),
        "default": _plain(one.default),
        "min": _number(one.min),
        "max": _number(one.max),
        "required": one.required,
        "repeated": one.multiple or one.nargs != 1,
        "variable": one.envvar,
    }
    return {name: value for name, value in described.items() if value not in (None, False, "", [])}


def _number(bound: float | None) -> str | None:
    return None if bound is None else str(bound)


def _setting(field: Any) -> dict[str, Any]:
    described: dict[str, Any] = {"type": _type(field)}
    if field.default_factory is not None:
        return described | {"default follows from": "other settings"}
    return described | {"default": _plain(field.default)}


def _type(field: Any) -> list[Shape]:
    """The type, then its bounds."""
    return [shape(field.annotation), *map(_bound, field.metadata)]


def _bound(one: Any) -> str:
    if isinstance(one, BaseMetadata):
        (bound,) = vars(one).items() if hasattr(one, "__dict__") else _slots(one)
        return f"{bound[0]} {bound[1]}"
    return f"pattern {one.pattern}"


def _slots(one: Any) -> list[tuple[str, Any]]:
    return [(name, getattr(one, name)) for name in type(one).__slots__]


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    return value if isinstance(value, bool | int | float | list | None) else str(value)
