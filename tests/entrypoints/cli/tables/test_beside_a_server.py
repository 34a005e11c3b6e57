"""Tables while a server is running: they can be looked at, and it sweeps them by itself."""

import asyncio
import json
from pathlib import Path

import pytest

from adapters.row_layouts.catalogue import SIGNAL_STATE
from adapters.row_layouts.engine import Put
from adapters.row_layouts.signal_rows import to_row
from entrypoints.container import Container, build
from entrypoints.server.followers import following
from entrypoints.settings.loading import Engine, Settings
from tests.adapters.row_layouts.sample_views import NOON, signal_card
from tests.entrypoints.support.reports import dataset
from tests.entrypoints.support.server import PATIENCE, run, serving


def test_they_are_looked_at_beside_it_and_not_touched(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    with serving(folder) as server:
        path = "/api/v1/datasets"
        urn = "urn:dp:orders:order_created:v1"
        assert server.ask("POST", path, dataset(urn)).status == 201
        assert server.ask("GET", f"{path}/{urn}").status == 200
        listed = run(folder, "tables", "list", "dataset-registry", "--json")
        (told,) = json.loads(listed.stdout)["tables"]
        assert (told["status"], told["rows"]) == ("THERE", 1)
        swept = run(folder, "tables", "sweep")
        assert swept.returncode == 1
        assert "is in use by process" in swept.stderr


def test_after_a_restart_it_sweeps_what_is_read(tmp_path: Path) -> None:
    """A rebuilt table, too: which it is, is learned before anything is swept."""
    settings = Settings(engine=Engine.EMBEDDED, data_dir=tmp_path / "var")
    second = SIGNAL_STATE.of_generation(2)

    async def rebuilt(container: Container) -> None:
        engine = container.bare_tables()
        await engine.ensure([second])
        puts = [Put(second.name, to_row(signal_card(ends_at=NOON), 1))]
        await engine.write("signal-state@g2", puts, upto=1)
        await container.pointers().move("signal-state", 2)

    async def restarted(container: Container) -> int:
        swept = asyncio.get_running_loop().create_future()
        container.sweeper().on_swept = swept.set_result
        async with following(container):
            count: int = await asyncio.wait_for(swept, PATIENCE)
        return count

    for scene, count in ((rebuilt, None), (restarted, 1)):
        container = build(settings)
        try:
            assert asyncio.run(scene(container)) == count
        finally:
            container.database().close()


@pytest.mark.parametrize("engine", [Engine.MEMORY, Engine.EMBEDDED])
def test_it_throws_away_what_has_ended(tmp_path: Path, engine: Engine) -> None:
    container = build(Settings(engine=engine, data_dir=tmp_path / "var"))

    async def scene() -> tuple[int, int]:
        tables, swept = container.table_engine(), asyncio.get_running_loop().create_future()
        cards = [signal_card(ends_at=NOON), signal_card(signal_type="VOLUME")]
        puts = [Put(SIGNAL_STATE.name, to_row(card, 1)) for card in cards]
        await tables.write("some", puts, upto=1)
        container.sweeper().on_swept = swept.set_result
        async with following(container):
            count = await asyncio.wait_for(swept, PATIENCE)
        return count, len((await container.bare_tables().scan(SIGNAL_STATE.name, limit=9)).rows)

    try:
        assert asyncio.run(scene()) == (1, 1)
    finally:
        if engine is Engine.EMBEDDED:
            container.database().close()
