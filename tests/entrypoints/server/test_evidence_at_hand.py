"""Evidence that was put is at hand for whoever opens the store next, on every lasting engine."""

import asyncio
from pathlib import Path

import pytest

from entrypoints.container import Container, build
from entrypoints.settings.loading import load
from entrypoints.wiring.locations import EVIDENCE_FILE
from entrypoints.wiring.opening import close, open_log, open_tables
from tests.adapters.dynamodb.support import dynamodb_local, environment
from tests.adapters.evidence_cache.some_evidence import FULL, some

YOUNG = some(1, recorded_at=FULL.recorded_at.replace(year=2199))


async def opened(settings: dict[str, str], folder: Path) -> Container:
    container = build(load({**settings, "STATESTORE_DATA_DIR": str(folder)}, folder / "no.env"))
    await open_log(container)
    await open_tables(container)
    return container


def on(engine: str) -> dict[str, str]:
    if engine == "embedded":
        return {}
    prefix = dynamodb_local.unused_table("hot") + "-"
    return {
        "STATESTORE_ENGINE": "dynamodb",
        "STATESTORE_TABLE_PREFIX": prefix,
        "STATESTORE_DYNAMODB_ENDPOINT_URL": dynamodb_local.endpoint(),
    }


@pytest.mark.parametrize("engine", ["embedded", "dynamodb"])
def test_evidence_is_at_hand_after_a_restart(tmp_path: Path, engine: str) -> None:
    settings = on(engine)

    async def put() -> None:
        container = await opened(settings, tmp_path)
        await container.evidence_cache().put([FULL, YOUNG])
        await close(container)

    async def found() -> list[str]:
        container = await opened(settings, tmp_path)
        named = await container.evidence_cache().named([FULL.evidence_id, YOUNG.evidence_id])
        await close(container)
        return list(named)

    with environment.surroundings():
        asyncio.run(put())
        assert asyncio.run(found()) == [YOUNG.evidence_id]
    assert (tmp_path / EVIDENCE_FILE).exists() is (engine == "embedded")
    assert not list(tmp_path.glob("*-wal"))
