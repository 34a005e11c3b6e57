"""
Doing long work on the read models for a command: in this process, or through the server that owns
the data folder.
"""

from collections.abc import Awaitable, Callable, Sequence
from time import perf_counter
from typing import Any

from attrs import define
from dependency_injector import providers

from adapters.sqlite.connection.folder_lock import FolderInUse
from adapters.tokens.admin_token import ADMIN
from application.caller import Caller
from application.maintenance.progress import LongWork
from entrypoints.cli.erase import NoStore
from entrypoints.cli.log.read_only_keys import KeysBeside
from entrypoints.cli.read_models.progress_lines import tell
from entrypoints.cli.running_server import RunningServer, api
from entrypoints.container import Container, build
from entrypoints.engines.engine import engine_of
from entrypoints.interfaces import read_model_reports
from entrypoints.settings.loading import Settings
from entrypoints.wiring.locations import key_file
from entrypoints.wiring.opening import close, open_log, open_tables

BY_COMMAND = Caller(ADMIN, roles=frozenset({ADMIN}), correlation_id="command-line")

Answer = dict[str, Any]


@define
class WorkFailed(Exception):
    """The server said so."""

    reason: str

    def __str__(self) -> str:
        return self.reason


async def rebuild(
    settings: Settings, names: Sequence[str], work: LongWork, *, afresh: bool = False
) -> Answer:
    """Raises NoStore, WorkFailed, ServerAway, ServerRefused, ApplicationError."""

    async def here(container: Container) -> Answer:
        began = perf_counter()
        done = await container.rebuild()(names, work, by=BY_COMMAND, afresh=afresh)
        return read_model_reports.rebuilt(done, perf_counter() - began)

    return await done(settings, work, here, "projections/rebuild", {"projections": [*names]})


async def verify(
    settings: Settings, names: Sequence[str], work: LongWork, *, repair: bool
) -> Answer:
    """Raises NoStore, WorkFailed, ServerAway, ServerRefused, ApplicationError."""

    async def here(container: Container) -> Answer:
        folded = await _caught_up(container, names)
        began = perf_counter()
        done = await container.verify()(names, work, repair=repair, by=BY_COMMAND)
        return read_model_reports.verified(done, perf_counter() - began, folded)

    asked = {"projections": [*names], "repair": repair}
    return await done(settings, work, here, "projections/verify", asked)


async def _caught_up(container: Container, names: Sequence[str]) -> dict[str, int]:
    """Fold what no server has folded; how many events that were, of each projection."""
    cards = container.cards()
    before = {name: await cards.reached(name) for name in names}
    await container.runner().catch_up()
    return {name: await cards.reached(name) - reached for name, reached in before.items()}


async def done(
    settings: Settings,
    work: LongWork,
    here: Callable[[Container], Awaitable[Answer]],
    path: str,
    asked: Answer,
) -> Answer:
    """Here, or by the server that owns the data folder, which is asked at the path.

    Raises:
        NoStore: Nothing is kept where the settings point.
        WorkFailed: The server could not do it.
        ServerAway, ServerRefused: It does not answer, or would not do it.
    """
    must_exist(settings)
    container = build(settings)
    try:
        own(container)
    except FolderInUse:
        return _through_server(settings, work, path, asked)
    try:
        await open_log(container)
        await open_tables(container)
        make_no_keys(container)
        return await here(container)
    finally:
        await close(container)


def own(container: Container) -> None:
    """Raises FolderInUse if a server owns the data folder."""
    engine_of(container.settings()).claim(container)


def make_no_keys(container: Container) -> None:
    """Whoever is erased elsewhere while the log is folded here must not be sealed anew."""
    path, keys = key_file(container.settings()), container.keys()
    container.keys.override(providers.Object(KeysBeside(path, keys)))


def must_exist(settings: Settings) -> None:
    """Raises NoStore if nothing is kept where the settings point."""
    missing = engine_of(settings).missing(settings)
    if missing is not None:
        raise NoStore(missing)


def _through_server(settings: Settings, work: LongWork, path: str, asked: Answer) -> Answer:
    for line in RunningServer(settings).lines(api(*path.split("/")), asked):
        tell(line, work)
        if "error" in line:
            raise WorkFailed(line["error"])
        if "result" in line:
            result: Answer = line["result"]
            return result
    raise WorkFailed("the server ended before the work did: run it again, nothing is lost")
