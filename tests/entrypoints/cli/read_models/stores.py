"""Stores for the commands to work on."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import apsw
import orjson
from attrs import evolve

from adapters.generations.comparison import unsealed
from adapters.row_layouts.engine import RowKey
from domain.dataset.settings_validation import DatasetReport
from domain.incident.report import IncidentReport
from tests.application.projections.read_models import rows_of
from tests.application.store import ADMIN, ORDERS, SETTINGS, VOLUME, Store, open_store, report

FILE = "statestore.db"
INCIDENT = IncidentReport(ORDERS, (VOLUME,), ("LATE_DATA:processed_at",), "SEV_2", "INC-1")


def fill(folder: Path, *, windows: int = 4) -> None:
    """A store with a dataset, its signal, an incident and people, all folded in."""

    async def go() -> None:
        async with open_store("embedded", folder) as store:
            settings = evolve(SETTINGS, owner_email="owner@company.example")
            await store.use_cases.register_dataset(DatasetReport(ORDERS, settings), by=ADMIN)
            for window in range(windows):
                state = "CRITICAL" if window % 2 else "OK"
                await store.use_cases.update_signal(report(window, state=state), by=ADMIN)
            await store.use_cases.open_incident(INCIDENT, by=ADMIN)
            await store.react()

    asyncio.run(go())


def rows(folder: Path) -> Mapping[RowKey, Any]:
    """Every row that is served, personal values opened."""

    async def go() -> Mapping[RowKey, Any]:
        async with open_store("embedded", folder) as store:
            return await rows_in(store)

    return asyncio.run(go())


async def rows_in(store: Store) -> Mapping[RowKey, Any]:
    await store.container.pointers().numbers()
    serving = await store.container.generations().serving()
    found = await rows_of(store.container.bare_tables(), lambda name: serving[name])
    opened = store.container.seals().open
    return {key: unsealed(orjson.loads(row), opened) for key, row in found.items()}


def execute(folder: Path, sql: str, *bindings: object) -> list[tuple[Any, ...]]:
    connection = apsw.Connection(str(folder / FILE))
    try:
        return connection.execute(sql, bindings).fetchall()
    finally:
        connection.close()
