"""Two stores with one log on DynamoDB that share their tables, as two processes would."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from dependency_injector import providers

from adapters.leases.shared import SharedLeases
from adapters.memory.engine import MemoryEngine
from domain.dataset.settings_validation import DatasetReport
from entrypoints.container import Container, build
from entrypoints.server.followers import following
from entrypoints.settings.loading import load
from entrypoints.wiring.opening import close, open_log
from tests.adapters.dynamodb.support import dynamodb_local, environment
from tests.application.store import ADMIN, ORDERS, SETTINGS, VOLUME, report

PATIENCE = "60"

Scene = Callable[[Container, Container], Awaitable[None]]


@asynccontextmanager
async def store(
    folder: Path, table: str, keys: Path, tables: MemoryEngine
) -> AsyncIterator[Container]:
    container = build(
        load(
            {
                "STATESTORE_ENGINE": "dynamodb",
                "STATESTORE_DATA_DIR": str(folder),
                "STATESTORE_KEY_FILE": str(keys),
                "STATESTORE_DYNAMODB_TABLE": table,
                "STATESTORE_DYNAMODB_ENDPOINT_URL": dynamodb_local.endpoint(),
                "STATESTORE_READ_WAIT_SECONDS": PATIENCE,
            },
            Path("no-such-file"),
        )
    )
    container.bare_tables.override(providers.Object(tables))
    try:
        await open_log(container)
        yield container
    finally:
        await close(container)


def on_two(folder: Path, scene: Scene) -> None:
    async def played() -> None:
        table, tables = dynamodb_local.unused_table("shared-tables"), MemoryEngine()
        async with AsyncExitStack() as open_ones:
            one, two = [
                await open_ones.enter_async_context(
                    store(folder / name, table, folder / "keys.json", tables)
                )
                for name in ("one", "two")
            ]
            await scene(one, two)

    with environment.surroundings():
        asyncio.run(played())


def test_what_one_writes_another_reads_whoever_folds_it(tmp_path: Path) -> None:
    async def scene(one: Container, two: Container) -> None:
        assert isinstance(one.leases(), SharedLeases)
        async with following(one), following(two):
            await one.register_dataset()(DatasetReport(ORDERS, SETTINGS), by=ADMIN)
            for version, container in enumerate([two, one, two], 1):
                await container.update_signal()(report(version), by=ADMIN)
                # Its own write, and then the other's: both wait for the position.
                position = await container.feed().head()
                for reader in (one, two):
                    reader.own_writes().wrote(ADMIN, position, [ORDERS])
                    answer = (await reader.read_signal()(ORDERS, VOLUME, by=ADMIN)).value
                    assert answer.version == version
            here, there = (set(store.runner().handled_here) for store in (one, two))
            assert not here & there

    on_two(tmp_path, scene)


def test_one_that_folds_nothing_is_up_to_date_by_the_other(tmp_path: Path) -> None:
    async def scene(one: Container, two: Container) -> None:
        async with following(one, folds=False), following(two):
            await one.register_dataset()(DatasetReport(ORDERS, SETTINGS), by=ADMIN)
            card = (await one.read_dataset()(ORDERS, by=ADMIN)).value
            assert card.dataset == ORDERS
            assert not one.runner().handled_here

    on_two(tmp_path, scene)


def test_what_another_holds_is_not_claimed_at_the_start(tmp_path: Path) -> None:
    async def scene(one: Container, two: Container) -> None:
        async with following(one):
            assert sorted(one.runner().handled_here) == sorted(one.projection_names())
            async with following(two):
                assert not two.runner().handled_here
                assert set(two.progress().all()) == set(two.projection_names())

    on_two(tmp_path, scene)
