"""What all commands do alike: read the settings, answer in JSON, give up with a clear word."""

import json
import os
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from entrypoints.settings import loading as settings_module
from entrypoints.settings.loading import BadSettings, Settings

WRONG_USE, FAILED = 2, 1

Json = Annotated[bool, typer.Option("--json", help="Answer in JSON, for scripts.")]


def settings() -> Settings:
    try:
        return settings_module.load(os.environ, Path(".env"))
    except BadSettings as error:
        give_up(error, WRONG_USE)


def show(answer: dict[str, Any], as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(answer))
        return
    for name, value in answer.items():
        typer.echo(f"{name}: {value}")


def give_up(error: Exception, code: int = FAILED) -> NoReturn:
    for line in str(error).splitlines():
        typer.echo(f"statestore: {line}", err=True)
    raise typer.Exit(code)
