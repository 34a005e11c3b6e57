"""Whoever follows the log is begun again, whatever ended it."""

import asyncio
from pathlib import Path

import pytest
from dependency_injector import providers
from structlog.testing import capture_logs

from adapters.memory.engine import MemoryEngine
from domain.dataset.settings_validation import DatasetReport
from entrypoints.server import followers
from tests.application.store import ADMIN, ORDERS, SETTINGS, open_store


class Damaged(MemoryEngine):
    """Tables that cannot be read once they are damaged, until somebody mends them."""

    def __init__(self) -> None:
        super().__init__()
        self.damaged = False
        self.looks = 0
        self.was_met = asyncio.Event()

    async def reached(self, projection: str) -> int:
        if self.damaged:
            self.looks += 1
            if self.looks > 30:
                self.was_met.set()
            raise ValueError("not a number")
        return await super().reached(projection)


def test_one_that_met_damage_goes_on_once_it_is_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(followers, "BEGUN_AGAIN_AFTER", 0.0)

    async def scene() -> None:
        tables = Damaged()
        async with open_store("memory", tmp_path) as store:
            container, progress = store.container, store.container.progress()
            container.table_engine.override(providers.Object(tables))
            async with followers.following(container, acts=False), asyncio.timeout(60):
                tables.damaged = True
                writing = asyncio.create_task(
                    container.register_dataset()(DatasetReport(ORDERS, SETTINGS), by=ADMIN)
                )
                await tables.was_met.wait()
                tables.damaged = False
                assert await progress.wait("dataset-registry", 1, timeout=30)
                await writing
                assert progress.trouble_of("projections") is None

    with capture_logs() as told:
        asyncio.run(scene())
    assert [line["error"] for line in told if line["event"] == "follower_stopped"]
