"""The store that every story about policies is played on."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from domain.dataset.settings import IncidentPolicy
from domain.dataset.settings_validation import DatasetReport
from tests.application.policies.scene import (
    Play,
    Story,
    evaluated,
    opened,
)
from tests.application.store import (
    ADMIN,
    ENGINES,
    ORDERS,
    SETTINGS,
    open_store,
)


@pytest.fixture(params=ENGINES)
def play(request: pytest.FixtureRequest, tmp_path: Path) -> Play:
    """Plays a story on a store with an incident about a dataset in breach."""

    def played(story: Story, **policy: Any) -> None:
        async def scene() -> None:
            async with open_store(request.param, tmp_path) as store:
                settings = evolve(SETTINGS, incident_policy=IncidentPolicy(**policy))
                await store.use_cases.register_dataset(DatasetReport(ORDERS, settings), by=ADMIN)
                await evaluated(store, 0, "CRITICAL")
                await opened(store)
                await story(store)

        asyncio.run(scene())

    return played
