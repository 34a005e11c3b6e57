"""One dataset in breach, on every engine."""

import asyncio
from pathlib import Path

import pytest

from domain.dataset.settings_validation import DatasetReport
from tests.application.incidents.stories import Play, Story
from tests.application.store import ADMIN, ENGINES, ORDERS, SETTINGS, open_store, report


@pytest.fixture(params=ENGINES)
def play(request: pytest.FixtureRequest, tmp_path: Path) -> Play:
    """Plays a story on a store that knows one dataset in breach."""

    def played(story: Story) -> None:
        async def scene() -> None:
            async with open_store(request.param, tmp_path) as store:
                await store.use_cases.register_dataset(DatasetReport(ORDERS, SETTINGS), by=ADMIN)
                await store.use_cases.update_signal(report(0, state="CRITICAL"), by=ADMIN)
                await story(store)

        asyncio.run(scene())

    return played
