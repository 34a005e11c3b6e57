"""Following the log while something else goes on: folding, watching and reacting."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Coroutine, Iterator
from contextlib import asynccontextmanager
from typing import Any

import structlog

from application.projections.progress import Progress
from application.projections.runner import NAME as PROJECTIONS
from application.projections.watcher import NAME as WATCHER
from entrypoints.container import Container
from entrypoints.settings import Engine


@asynccontextmanager
async def following(
    container: Container, *, folds: bool = True, acts: bool = True
) -> AsyncIterator[None]:
    """Know how far the read models are, fold them if told, let the policies act if told."""
    await container.runner().resume()
    tasks = [asyncio.create_task(one) for one in _followers(container, folds, acts)]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _followers(
    container: Container, folds: bool, acts: bool
) -> Iterator[Coroutine[Any, Any, None]]:
    runner, progress = container.runner(), container.progress()
    if folds:
        yield _follow(runner.run(), PROJECTIONS, progress)
    else:
        runner.fold_nothing()
    yield _follow(container.watcher().run(), WATCHER, progress)
    for policy in container.policy_runners() if acts else ():
        yield _follow(policy.run(), policy.policy.name, container.policy_progress())
    if acts and container.settings().engine is not Engine.DYNAMODB:
        # There the time to live of the tables does it.
        yield container.sweeper().run()


async def _follow(running: Awaitable[None], name: str, progress: Progress) -> None:
    """Keep up with the log. If that ends, `/health` says so and why."""
    try:
        await running
    except Exception as error:  # noqa: BLE001  # the edge: whatever ends it must be told
        progress.stuck(name, str(error) or type(error).__name__)
        structlog.get_logger().exception("follower_stopped", follower=name, error=str(error))
