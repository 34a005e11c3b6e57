"""Erasing a person from the command line: directly, or through the server that owns the folder."""

from attrs import define

from adapters.sqlite.connection.folder_lock import FolderInUse
from adapters.tokens.admin_token import ADMIN
from application.caller import Caller
from entrypoints.cli.running_server import RunningServer
from entrypoints.container import build
from entrypoints.settings.loading import Engine, Settings
from entrypoints.wiring.locations import key_file, store_file
from entrypoints.wiring.opening import close, open_log

_COMMAND_LINE = Caller(ADMIN, roles=frozenset({ADMIN}), correlation_id="command-line")


@define
class NoStore(Exception):
    where: str

    def __str__(self) -> str:
        return f"there is no store in {self.where}"


async def erase(settings: Settings, person: str) -> bool:
    """Tells whether anything was known of the person.

    Raises:
        NoStore: Nothing is kept where the settings point.
    """
    if not _kept(settings):
        where = settings.engine if settings.engine is Engine.MEMORY else settings.data_dir
        raise NoStore(str(where))
    container = build(settings)
    try:
        container.database() if settings.engine is Engine.EMBEDDED else container.folder()
    except FolderInUse:
        answer = RunningServer(settings).post("/api/v1/people/erasure", {"person": person})
        return bool(answer["erased"])
    try:
        await open_log(container)
        return await container.erase_person()(person, by=_COMMAND_LINE)
    finally:
        await close(container)


def _kept(settings: Settings) -> bool:
    match settings.engine:
        case Engine.EMBEDDED:
            return store_file(settings).exists()
        case Engine.DYNAMODB:
            return key_file(settings).exists()
        case Engine.MEMORY:
            return False
