"""An embedded store as `serve` runs it, projections and policies included, without HTTP."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from application.caller import Caller
from entrypoints.container import Container, build
from entrypoints.server.garbage_collection import let_what_is_loaded_be
from entrypoints.settings.loading import load
from entrypoints.wiring.opening import close

T = TypeVar("T")

PATIENCE = 60.0
AT_ONCE = 64
ENGINE = Caller("engine", frozenset({"admin"}), "01KCPM2E4ZXQ5WT7B8RN6HVD00")


def opened(folder: Path) -> Container:
    return build(load({"STATESTORE_DATA_DIR": str(folder)}, folder / "no.env"))


def followers(container: Container) -> list[asyncio.Task[None]]:
    """What follows the log in a serving process; the projections must have resumed."""
    policies = [one.run() for one in container.policy_runners()]
    return [asyncio.create_task(one) for one in (container.runner().run(), *policies)]


async def stop(tasks: Iterable[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[Container]:
    container = opened(folder)
    try:
        await container.runner().resume()
        let_what_is_loaded_be()
        tasks = followers(container)
        yield container
        await stop(tasks)
    finally:
        await close(container)


async def caught_up(container: Container) -> None:
    """Projections and policies have heeded all that is recorded by now."""
    head = await container.log().head()
    followed = [(container.progress(), one.name) for one in container.projections()]
    followed += [(container.policy_progress(), one.name) for one in container.policies()]
    for progress, name in followed:
        if not await progress.wait(name, head, timeout=PATIENCE):
            raise RuntimeError(f"{name} did not catch up: {progress.trouble}")


async def each(things: Iterable[T], do: Callable[[T], Awaitable[object]]) -> None:
    """Do it for all of them, so many at once."""
    waiting = iter(things)

    async def work() -> None:
        for thing in waiting:
            await do(thing)

    await asyncio.gather(*(work() for _ in range(AT_ONCE)))
