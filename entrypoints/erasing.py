"""Erasing a person from the command line: directly, or through the server that owns the folder."""

from adapters.sqlite.folder_lock import FolderInUse
from adapters.tokens.admin_token import ADMIN
from application.caller import Caller
from entrypoints.container import build, close
from entrypoints.running_server import RunningServer
from entrypoints.settings import Settings

_COMMAND_LINE = Caller(ADMIN, roles=frozenset({ADMIN}), correlation_id="command-line")


async def erase(settings: Settings, person: str) -> bool:
    """Tells whether anything was known of the person."""
    container = build(settings)
    try:
        container.database()
    except FolderInUse:
        answer = RunningServer(settings).post("/api/v1/people/erasure", {"person": person})
        return bool(answer["erased"])
    try:
        return await container.erase_person()(person, by=_COMMAND_LINE)
    finally:
        close(container)
