"""Following the log while something else goes on: folding, watching and reacting."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import structlog

from application.projections.progress import Progress
from application.projections.remote_progress import NAME as WATCHER
from entrypoints.container import Container
from entrypoints.engines.engine import engine_of

BEGUN_AGAIN_AFTER = 5.0
"""Seconds. What ended one may be mended meanwhile, such as a damaged row."""


@asynccontextmanager
async def following(
    container: Container, *, folds: bool = True, acts: bool = True
) -> AsyncIterator[None]:
    """Know how far the read models are, fold them if told, let the policies act if told."""
    runner = container.runner()
    # Whoever is awake only now and then may have missed it.
    await container.people().look()
    # A function may have slept since it was opened.
    await container.pointers().look(runner.at_rest)
    await runner.resume()
    await runner.release()
    if folds:
        await runner.share()
    tasks = [asyncio.create_task(one) for one in _followers(container, folds, acts)]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for sink in container.sinks().values() if acts else ():
            await sink.close()
        # Also what was taken by one that was cancelled before it began.
        await runner.release()


def _followers(
    container: Container, folds: bool, acts: bool
) -> Iterator[Coroutine[Any, Any, None]]:
    runner, progress = container.runner(), container.progress()
    if folds:
        yield _follow(runner.run, runner.name, progress)
    yield _follow(container.watcher().run, WATCHER, progress)
    watching = partial(container.pointers().watch, runner.at_rest)
    yield _follow(watching, "generations", progress)
    yield _follow(container.people().watch, "people", progress)
    for one in (*container.policy_runners(), *container.outboxes()) if acts else ():
        yield _follow(one.run, one.name, one.progress)
    if acts:
        yield _follow(container.evidence_upkeep().run, "evidence", container.policy_progress())
    if acts and not engine_of(container.settings()).expires_rows:
        # There the time to live of the tables does it.
        yield _follow(container.sweeper().run, "sweeper", container.policy_progress())


async def _follow(run: Callable[[], Awaitable[None]], name: str, progress: Progress) -> None:
    """Keep up with the log. If that ends, `/health` says so and why, and it is begun again."""
    while True:
        try:
            return await run()
        except Exception as error:  # noqa: BLE001  # the edge: whatever ends it must be told
            progress.stuck(name, str(error) or type(error).__name__)
            structlog.get_logger().exception("follower_stopped", follower=name, error=str(error))
        await asyncio.sleep(BEGUN_AGAIN_AFTER)
        progress.goes_on(name)
