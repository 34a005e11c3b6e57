"""`statestore project`: follow the log and fold read models, beside other processes that do."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

from attrs import define, frozen
from dependency_injector import providers

from adapters.sqlite.connection.folder_lock import FolderInUse
from application.errors import Unavailable
from application.projections.quarantined_facts import SetAside
from application.reads.position import Position
from application.subscriptions.lag import Lag, lag_of
from domain.timestamps import moment
from entrypoints.cli.plurals import counted
from entrypoints.cli.running_server import RunningServer, api
from entrypoints.container import Container, build
from entrypoints.engines.engine import engine_of
from entrypoints.server.followers import following
from entrypoints.settings.loading import Settings
from entrypoints.wiring.opening import close, open_log, open_tables

LOOK_SECONDS = 0.5
TELL_SECONDS = 10.0


@define
class CannotProject(Exception):
    reason: str

    def __str__(self) -> str:
        return self.reason


@define
class NoSuchProjection(Exception):
    names: Sequence[str]
    known: Sequence[str]

    def __str__(self) -> str:
        return f"no projection {', '.join(self.names)}: there are {', '.join(self.known)}"


@frozen
class Standing:
    """What this process folds, and how far all that it was asked to fold is behind."""

    holds: Sequence[str]
    lags: Mapping[str, Lag]
    trouble: str | None = None

    def __str__(self) -> str:
        told = [f"holds {', '.join(self.holds) or 'nothing'}", *map(self._behind, self.lags)]
        return "; ".join([*told, *([self.trouble] if self.trouble else [])])

    def answer(self) -> dict[str, Any]:
        lags = {
            name: {"lag_events": lag.events, "lag_seconds": lag.seconds}
            for name, lag in self.lags.items()
        }
        return {"holds": [*self.holds], "projections": lags, "error": self.trouble}

    def _behind(self, name: str) -> str:
        lag = self.lags[name]
        return f"{name} {counted(lag.events, 'event')} behind ({lag.seconds:.1f} s)"


async def project(
    settings: Settings, names: Sequence[str], tell: Callable[[Standing], None]
) -> None:
    """Fold the named projections, or all of them, until SIGINT or SIGTERM.

    Raises:
        NoSuchProjection: There is none of that name.
        CannotProject: Another process owns the tables, or nobody could read them.
    """
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with opened(settings, names) as container, following(container, acts=False):
        await _tell_until(stop, container, tell)


async def list_quarantined(settings: Settings, names: Sequence[str]) -> Sequence[SetAside]:
    """What could not be folded; a server that owns the tables is asked.

    Raises:
        NoSuchProjection: There is none of that name.
        CannotProject: There are no tables, or nobody could read them.
        ServerAway: The server that owns the tables does not answer.
        ServerRefused: It does not want to.
    """
    engine = engine_of(settings)
    if engine.is_durable and (missing := engine.missing(settings)):
        raise CannotProject(f"there is no store in {missing}")
    try:
        async with opened(settings, names) as container:
            return await container.set_aside_facts().all()
    except CannotProject as error:
        if not isinstance(error.__cause__, FolderInUse):
            raise
    return [fact for fact in _told_by_server(settings) if not names or fact.projection in names]


def _told_by_server(settings: Settings) -> Sequence[SetAside]:
    answer = RunningServer(settings).get(api("projections", "quarantined-facts"))
    return [
        SetAside(
            projection=fact["projection"],
            position=Position.read(fact["position"]).number,
            event_id=fact["event_id"],
            recorded_at=moment(fact["recorded_at"]),
            reason=fact["reason"],
        )
        for fact in answer["facts"]
    ]


@asynccontextmanager
async def opened(settings: Settings, names: Sequence[str]) -> AsyncIterator[Container]:
    if not engine_of(settings).is_durable:
        raise CannotProject("nobody could read what is folded: memory ends with its process")
    container = build(settings)
    _choose(container, names)
    try:
        async with _open(container):
            yield container
    except FolderInUse as error:
        raise CannotProject(f"{error}; a server folds what it owns by itself") from error


@asynccontextmanager
async def _open(container: Container) -> AsyncIterator[None]:
    try:
        engine_of(container.settings()).claim(container)
        await open_log(container)
        await open_tables(container)
        yield
    finally:
        await close(container)


def _choose(container: Container, names: Sequence[str]) -> None:
    known = {one.name: one for one in container.projections()}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise NoSuchProjection(unknown, sorted(known))
    if names:
        chosen = [known[name] for name in dict.fromkeys(names)]
        container.projections.override(providers.Object(chosen))


async def _tell_until(
    stop: asyncio.Event, container: Container, tell: Callable[[Standing], None]
) -> None:
    """Tell when what is held changes, and now and then how far everything is."""
    told: Standing | None = None
    clock = asyncio.get_running_loop().time
    next_telling = clock()
    while not stop.is_set():
        now = await standing(container)
        changed = told is None or (now.holds, now.trouble) != (told.holds, told.trouble)
        if changed or clock() >= next_telling:
            told, next_telling = now, clock() + TELL_SECONDS
            tell(now)
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), LOOK_SECONDS)


async def standing(container: Container) -> Standing:
    progress = container.progress()
    holds = sorted(container.runner().handled_here)
    try:
        return Standing(holds, await _lags(container), progress.trouble)
    except Unavailable as error:
        return Standing(holds, {}, str(error))


async def _lags(container: Container) -> Mapping[str, Lag]:
    feed, now = container.feed(), container.clock().now()
    head = await feed.head()
    return {
        name: await lag_of(reached.position, head=head, feed=feed, now=now)
        for name, reached in sorted(container.progress().all().items())
    }
