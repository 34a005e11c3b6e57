"""The server and the shell of the terminal's tests."""

from tests.entrypoints.cli.commands.conftest import server, shell

__all__ = ["server", "shell"]
