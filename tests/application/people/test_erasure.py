"""Erasing a person: everything else goes on as before."""

import asyncio
from pathlib import Path

import pytest
from attrs import evolve

from adapters.eventstore.sealing.seals import CONFIDENTIAL
from application.datasets.read_model import DatasetFilter
from application.reads.paging import PageRequest
from application.recorded import ERASED
from domain.dataset.settings_validation import DatasetReport, SettingsReport
from tests.application.store import ADMIN, ENGINES, ORDERS, SETTINGS, open_store, report

OWNER = "joe@company.example"
OWNED = evolve(SETTINGS, owner_email=OWNER)


@pytest.mark.parametrize("engine", ENGINES)
def test_folds_and_reads_survive_an_erasure(engine: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_store(engine, tmp_path, STATESTORE_SNAPSHOT_EVERY="1") as store:
            await store.use_cases.register_dataset(DatasetReport(ORDERS, OWNED), by=ADMIN)
            await store.use_cases.update_signal(report(0), by=ADMIN)
            await store.project()
            before = (await store.use_cases.read_dataset(ORDERS, by=ADMIN)).value
            assert (before.settings.owner_email, before.updated_by) == (OWNER, ADMIN.principal)

            assert await store.use_cases.erase_person(OWNER, by=ADMIN)
            assert await store.use_cases.erase_person(ADMIN.principal, by=ADMIN)
            assert not await store.use_cases.erase_person("nobody@company.example", by=ADMIN)
            store.container.seals().seal(CONFIDENTIAL, "DATA-1")
            assert not await store.use_cases.erase_person(f" {CONFIDENTIAL.upper()}", by=ADMIN)

            after = (await store.use_cases.read_dataset(ORDERS, by=ADMIN)).value
            assert (after.settings.owner_email, after.updated_by) == (ERASED, ERASED)
            assert after.settings.display_name == before.settings.display_name
            listed = (
                await store.use_cases.list_datasets(DatasetFilter(), PageRequest(), by=ADMIN)
            ).value
            assert [card.dataset for card in listed.items] == [ORDERS]
            changed = await store.use_cases.update_dataset(
                ORDERS,
                SettingsReport(evolve(OWNED, description="x"), ["description"]),
                expected_version=1,
                by=ADMIN,
            )
            assert changed.config.settings.owner_email == ERASED
            assert (await store.use_cases.update_signal(report(1), by=ADMIN)).version == 2
            await store.project()
            assert (await store.use_cases.read_dataset(ORDERS, by=ADMIN)).value.config_version == 2

    asyncio.run(story())


def test_nothing_of_the_person_is_in_the_files(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_store("embedded", tmp_path, STATESTORE_SNAPSHOT_EVERY="1") as store:
            await store.use_cases.register_dataset(DatasetReport(ORDERS, OWNED), by=ADMIN)
            await store.project()

    asyncio.run(story())
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert b"orders-platform" in written
    assert b"joe@" not in written
    assert b"jane@" not in written
