"""
Looking after evidence for a command: in this process, or through the server that owns the data
folder.
"""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from time import perf_counter
from typing import Any, TypeVar

from adapters.sqlite.connection.folder_lock import FolderInUse
from application.maintenance.progress import LongWork
from entrypoints.cli.read_models.maintenance import BY_COMMAND, done, must_exist, own
from entrypoints.cli.running_server import RunningServer, api
from entrypoints.container import Container, build
from entrypoints.interfaces import evidence_reports
from entrypoints.settings.loading import Settings
from entrypoints.wiring.opening import close, open_log, open_tables

Answer = dict[str, Any]
T = TypeVar("T")

PATH = "evidence-archive"


async def stock(settings: Settings) -> Answer:
    """Raises NoStore, ServerAway, ServerRefused, ApplicationError."""
    must_exist(settings)
    container = build(settings)
    try:
        own(container)
    except FolderInUse:
        return RunningServer(settings).get(api(PATH))
    try:
        await open_log(container)
        await open_tables(container)
        return evidence_reports.stock(await container.count_evidence()(by=BY_COMMAND))
    finally:
        await close(container)


async def rebuild(settings: Settings, work: LongWork, *, accept_loss: bool) -> Answer:
    """Raises NoStore, WorkFailed, ServerAway, ServerRefused, ApplicationError."""

    async def here(container: Container) -> Answer:
        # Which incidents are open is read from the board.
        await container.runner().catch_up()
        rebuilding = container.rebuild_evidence()
        rebuilt = rebuilding(work, accept_loss=accept_loss, by=BY_COMMAND)
        return await _timed(rebuilt, evidence_reports.rebuilt)

    return await done(settings, work, here, f"{PATH}/rebuild", {"accept_loss": accept_loss})


async def verify(settings: Settings, work: LongWork, *, repair: bool) -> Answer:
    """Raises NoStore, WorkFailed, ServerAway, ServerRefused, ApplicationError."""

    async def here(container: Container) -> Answer:
        if repair:
            # Which incidents are open is read from the board.
            await container.runner().catch_up()
        # What a process that ended had not put yet is not missing.
        await container.evidence_filler().show_unsorted()
        verifying = container.verify_evidence()
        return await _timed(
            verifying(work, repair=repair, by=BY_COMMAND), evidence_reports.verified
        )

    return await done(settings, work, here, f"{PATH}/verify", {"repair": repair})


async def compact(settings: Settings, work: LongWork) -> Answer:
    """Raises NoStore, WorkFailed, ServerAway, ServerRefused, ApplicationError."""

    async def here(container: Container) -> Answer:
        return await _timed(
            container.compact_evidence()(work, by=BY_COMMAND), evidence_reports.compacted
        )

    return await done(settings, work, here, f"{PATH}/compact", {})


async def forget(settings: Settings, older_than: timedelta, work: LongWork) -> Answer:
    """Raises NoStore, WorkFailed, ServerAway, ServerRefused, ApplicationError, Invalid."""

    async def here(container: Container) -> Answer:
        await container.runner().catch_up()
        forgetting = container.forget_evidence()
        return await _timed(forgetting(older_than, work, by=BY_COMMAND), evidence_reports.forgotten)

    hours = older_than // timedelta(hours=1)
    return await done(settings, work, here, f"{PATH}/purge", {"older_than_hours": hours})


async def _timed(work: Awaitable[T], told: Callable[[T, float], Answer]) -> Answer:
    began = perf_counter()
    result = await work
    return told(result, perf_counter() - began)
