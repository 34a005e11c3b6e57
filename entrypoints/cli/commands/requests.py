"""Asking the running server for a command: an answer, or a clear word and an exit code."""

from collections.abc import Callable
from typing import TypeVar

from attrs import evolve

from entrypoints.cli.command import give_up, settings
from entrypoints.cli.running_server import (
    UNAUTHENTICATED,
    Answer,
    Query,
    RunningServer,
    ServerAway,
    ServerRefused,
)

T = TypeVar("T")

LARGEST_PAGE = 100

_NOT_RUNNING = "is the server running? `make run` or `statestore serve` starts it"
_OTHER_TOKEN = (
    "is STATESTORE_DATA_DIR or STATESTORE_ADMIN_TOKEN the server's own? "
    "With STATESTORE_ENGINE=memory its token is in no file: set STATESTORE_ADMIN_TOKEN"
)


def answered(ask: Callable[[RunningServer], T]) -> T:
    """What the server answers; the command ends with 1 if it does not, or refuses."""
    server = RunningServer(settings())
    try:
        return ask(server)
    except ServerAway as error:
        give_up(evolve(error, reason=f"{error.reason}\n{_NOT_RUNNING}"))
    except ServerRefused as error:
        hint = f"\n{_OTHER_TOKEN}" if error.code == UNAUTHENTICATED else ""
        give_up(evolve(error, reason=error.reason + hint))


def listed(
    server: RunningServer, path: str, items: str, query: Query, most: int | None = None
) -> Answer:
    """A list, page after page, with at most so many items; everything if nothing is said."""
    found: list[Answer] = []
    token: str | None = None
    while True:
        size = LARGEST_PAGE if most is None else min(LARGEST_PAGE, most - len(found))
        page = server.get(path, {**query, "page_size": size, "page_token": token})
        found += page[items]
        token = page["next_page_token"]
        if token is None or len(found) == most:
            return {**page, items: found}
