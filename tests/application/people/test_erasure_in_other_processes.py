"""A person who was erased by one process is not brought back by what another remembers."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import define, evolve
from dependency_injector import providers

from adapters.key_file.key_file import KeyFile
from adapters.memory.engine import MemoryEngine
from adapters.memory.log import MemoryLog
from adapters.memory.snapshots import MemorySnapshots
from adapters.row_layouts.catalogue import DATASET_REGISTRY
from adapters.row_layouts.dataset_rows import from_row
from application.errors import Unavailable
from application.projections.view_store import Card, Cards, Filed, Group, Key
from application.recorded import ERASED
from domain.dataset.config import DatasetConfig, Reconfigured, Registered
from domain.dataset.settings_validation import DatasetReport, SettingsReport
from domain.stream_categories import dataset_stream
from tests.application.store import ADMIN, NOON, ORDERS, SETTINGS, Store, open_store

OWNER = "joe@company.example"
OWNED = evolve(SETTINGS, owner_email=OWNER)


@define
class Shared:
    """What processes have in common: log, tables, snapshots and the key file."""

    folder: Path
    stack: AsyncExitStack
    log: MemoryLog
    tables: MemoryEngine
    snapshots: MemorySnapshots

    async def process(self) -> Store:
        store = await self.stack.enter_async_context(
            open_store("memory", self.folder, STATESTORE_SNAPSHOT_EVERY="1")
        )
        container = store.container
        container.log.override(providers.Object(self.log))
        container.bare_tables.override(providers.Object(self.tables))
        container.snapshot_store.override(providers.Object(self.snapshots))
        keys = providers.Object(KeyFile.open(self.folder / "keys.json"))
        container.keys.override(keys)
        return store


@asynccontextmanager
async def shared(folder: Path) -> AsyncIterator[Shared]:
    async with AsyncExitStack() as stack:
        log = MemoryLog(now=lambda: NOON)
        yield Shared(folder, stack, log, MemoryEngine(), MemorySnapshots())


async def known_to_anyone(processes: Shared) -> set[Any]:
    """Who the owner is, by every fact, row and snapshot, as a process finds them that is new."""
    new = await processes.process()
    facts = await new.container.feed().read(0, 100)
    told = {fact.fact.settings.owner_email for fact in facts if isinstance(fact.fact, Registered)}
    told |= {fact.fact.to.owner_email for fact in facts if isinstance(fact.fact, Reconfigured)}
    rows = await processes.tables.scan(DATASET_REGISTRY.name, limit=100)
    told |= {from_row(row, new.container.seals()).settings.owner_email for row in rows.rows}
    config, version = await new.container.snapshots().latest(
        dataset_stream(ORDERS), DatasetConfig()
    )
    return (told | ({config.settings.owner_email} if version else set())) - {None}


async def renamed(store: Store) -> Any:
    """A change of something else, decided on all that was agreed."""
    changed = evolve(OWNED, description=f"changed at {await store.container.feed().head()}")
    return await store.use_cases.update_dataset(
        ORDERS, SettingsReport(changed, ["description"]), expected_version=-1, by=ADMIN
    )


def test_one_who_remembers_keeps_nothing_of_the_person(tmp_path: Path) -> None:
    """A write succeeds at any time; only its snapshot, which would name the person, is left out."""

    async def story() -> None:
        async with shared(tmp_path) as processes:
            here, there = await processes.process(), await processes.process()
            await there.use_cases.register_dataset(DatasetReport(ORDERS, OWNED), by=ADMIN)
            await there.project()

            assert await here.use_cases.erase_person(OWNER, by=ADMIN)
            assert (await renamed(there)).config.settings.owner_email == OWNER
            assert await known_to_anyone(processes) == {ERASED}

            await there.container.people().look()
            assert (await renamed(there)).config.settings.owner_email == ERASED
            await there.project()
            assert await known_to_anyone(processes) == {ERASED}

    asyncio.run(story())


@define
class Interrupted:
    """Cards that let something happen once, after they were found."""

    cards: Cards
    happening: Callable[[], Awaitable[object]] | None

    async def find(self, keys: Iterable[Key]) -> Mapping[Key, Filed]:
        found = await self.cards.find(keys)
        if self.happening is not None:
            happening, self.happening = self.happening, None
            await happening()
        return found

    async def group(self, group: Group) -> Mapping[Key, Filed]:
        return await self.cards.group(group)

    async def file(
        self, projection: str, changes: Mapping[Key, tuple[Card | None, int]], *, upto: int
    ) -> None:
        await self.cards.file(projection, changes, upto=upto)

    async def reached(self, projection: str) -> int:
        return await self.cards.reached(projection)


def test_a_batch_that_was_read_before_files_nothing_of_the_person(tmp_path: Path) -> None:
    async def story() -> None:
        async with shared(tmp_path) as processes:
            here, there = await processes.process(), await processes.process()
            await here.use_cases.register_dataset(DatasetReport(ORDERS, OWNED), by=ADMIN)

            async def erased() -> None:
                assert await here.use_cases.erase_person(OWNER, by=ADMIN)

            cards = Interrupted(there.container.cards(), erased)
            there.container.cards.override(providers.Object(cards))
            with pytest.raises(Unavailable):
                await there.project()
            await there.container.people().look()
            await there.project()

            assert await known_to_anyone(processes) == {ERASED}

    asyncio.run(story())


def test_whoever_is_mentioned_later_is_a_new_person(tmp_path: Path) -> None:
    async def story() -> None:
        async with shared(tmp_path) as processes:
            here, there = await processes.process(), await processes.process()
            await there.use_cases.register_dataset(DatasetReport(ORDERS, OWNED), by=ADMIN)
            await here.use_cases.erase_person(OWNER, by=ADMIN)
            await there.container.people().look()

            again = await there.use_cases.update_dataset(
                ORDERS, SettingsReport(OWNED, ["owner_email"]), expected_version=1, by=ADMIN
            )

            assert again.config.settings.owner_email == OWNER
            assert await known_to_anyone(processes) == {ERASED, OWNER}

    asyncio.run(story())
