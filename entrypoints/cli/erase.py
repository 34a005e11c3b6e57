"""Erasing a person from the command line: directly, or through the server that owns the folder."""

from attrs import define

from adapters.sqlite.connection.folder_lock import FolderInUse
from adapters.tokens.admin_token import ADMIN
from application.caller import Caller
from entrypoints.cli.running_server import RunningServer
from entrypoints.container import build
from entrypoints.engines.engine import engine_of
from entrypoints.settings.loading import Settings
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
    engine = engine_of(settings)
    if not engine.has_personal_keys(settings):
        raise NoStore(str(settings.data_dir) if engine.is_durable else settings.engine)
    container = build(settings)
    try:
        engine.claim(container)
    except FolderInUse:
        answer = RunningServer(settings).post("/api/v1/people/erasure", {"person": person})
        return bool(answer["erased"])
    try:
        await open_log(container)
        return await container.erase_person()(person, by=_COMMAND_LINE)
    finally:
        await close(container)
