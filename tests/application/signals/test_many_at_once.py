"""Many incidents and datasets in one read, through the use cases, on every engine (S0-182)."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from application.caller import Caller
from application.errors import Forbidden
from domain.dataset.settings_validation import DatasetReport, SettingsReport
from domain.ids import DatasetUrn, IncidentId
from domain.incident.patch import IncidentPatch
from domain.incident.report import IncidentReport
from tests.application.store import ADMIN, ENGINES, ORDERS, SETTINGS, Store, open_store

OTHER = DatasetUrn("urn:dp:orders:other:v1")
NOWHERE = DatasetUrn("urn:dp:orders:unheard_of:v1")
ONE, TWO, NONE = (IncidentId(f"INC-{number}") for number in range(3))
MALLORY = Caller("mallory")


async def filled(store: Store) -> None:
    for dataset, incident in ((ORDERS, ONE), (OTHER, TWO)):
        await store.use_cases.register_dataset(DatasetReport(dataset, SETTINGS), by=ADMIN)
        signatures = ("MISSING_FIELD:customer_id",)
        report = IncidentReport(dataset, ("VOLUME",), signatures, "SEV_1", incident)
        await store.use_cases.open_incident(report, by=ADMIN)


@pytest.mark.parametrize("engine", ENGINES)
def test_cards_come_in_the_order_of_the_names(engine: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_store(engine, tmp_path) as store:
            await filled(store)
            await store.project()
            incidents = (
                await store.use_cases.read_incidents([NONE, TWO, ONE, TWO], by=ADMIN)
            ).value
            two, one = [
                (await store.use_cases.read_incident(name, by=ADMIN)).value for name in (TWO, ONE)
            ]
            assert incidents == [None, two, one, two]
            datasets = (
                await store.use_cases.read_datasets([OTHER, NOWHERE, ORDERS, OTHER], by=ADMIN)
            ).value
            other, orders = [
                (await store.use_cases.read_dataset(urn, by=ADMIN)).value for urn in (OTHER, ORDERS)
            ]
            assert datasets == [other, None, orders, other]

    asyncio.run(story())


@pytest.mark.parametrize("engine", ENGINES)
def test_they_wait_for_what_the_caller_wrote(engine: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_store(engine, tmp_path) as store:
            await filled(store)
            await store.project()
            patch = IncidentPatch(status="ACKNOWLEDGED")
            await store.use_cases.change_incident(ONE, patch, by=ADMIN)
            moved = evolve(SETTINGS, owner_team="new")
            await store.use_cases.update_dataset(
                ORDERS, SettingsReport(moved, ["owner_team"]), expected_version=1, by=ADMIN
            )
            reads: list[asyncio.Task[Any]] = [
                asyncio.create_task(store.use_cases.read_incidents([ONE], by=ADMIN)),
                asyncio.create_task(store.use_cases.read_datasets([ORDERS], by=ADMIN)),
            ]
            (unmoved,) = (await store.use_cases.read_datasets([OTHER], by=ADMIN)).value
            assert unmoved is not None
            assert unmoved.config_version == 1
            assert not any(read.done() for read in reads)
            await store.project()
            (incident,), (dataset,) = [(await read).value for read in reads]
            assert (incident.version, dataset.config_version) == (2, 2)

    asyncio.run(story())


def test_who_may_not_read_one_reads_none(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_store("memory", tmp_path) as store:
            await filled(store)
            with pytest.raises(Forbidden):
                await store.use_cases.read_incidents([ONE, TWO], by=MALLORY)
            with pytest.raises(Forbidden):
                await store.use_cases.read_datasets([ORDERS], by=MALLORY)

    asyncio.run(story())
