"""Verify finds what is not as the log says, tells why, and repairs it."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import orjson
import pytest
from attrs import define, evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.generations.comparison import DAMAGED, PERSONAL
from adapters.memory.engine import MemoryEngine
from adapters.row_layouts.catalogue import CATALOGUE, PROJECTION_STATE, SIGNAL_STATE
from adapters.row_layouts.engine import ASIDE, RowKey
from adapters.row_layouts.ownership import owner
from adapters.sqlite.connection.database import Database
from adapters.sqlite.rows.engine import SqliteEngine
from application.maintenance import verify as verifying
from application.maintenance.generations import RowDifference
from application.maintenance.verify import Verified
from domain.signal.evaluation import SignalStateEnum
from tests.application.projections.hooked_engine import HookedEngine
from tests.application.projections.read_models import NAMES, ReadModels, a_bit_of_everything
from tests.application.projections.story import Story, registered

Corrupt = Callable[[bytes], bytes | None]


def flipped(at: int) -> Corrupt:
    """One byte changed, so that it is another character."""
    return lambda row: row[:at] + (b"~" if row[at : at + 1] != b"~" else b"!") + row[at + 1 :]


@define
class Ground:
    """Read models on SQLite, whose rows can be damaged behind everybody's back."""

    models: ReadModels
    path: Path

    def damage(self, key: RowKey, corrupt: Corrupt) -> None:
        """Changes the JSON of the row; takes the row away where nothing is left."""
        with self._file() as file:
            where = f'FROM "{key.table}" WHERE PK = ? AND SK = ?'
            place = (key.pk, key.sk)
            text = file.execute(f"SELECT CAST(row AS BLOB) {where}", place).get
            changed = corrupt(text)
            if changed is None:
                file.execute(f"DELETE {where}", place)
            else:
                sql = f'UPDATE "{key.table}" SET row = CAST(? AS TEXT) WHERE PK = ? AND SK = ?'
                file.execute(sql, (changed, *place))

    def execute(self, sql: str, *bindings: Any) -> None:
        with self._file() as file:
            file.execute(sql, bindings)

    def _file(self) -> apsw.Connection:
        connection = apsw.Connection(str(self.path))
        connection.set_busy_timeout(5_000)
        return connection

    async def key(self, table: str, number: int = 0) -> RowKey:
        return [key for key in await self.models.rows() if key.table == table][number]


@pytest.fixture
def ground(tmp_path: Path) -> Iterator[Ground]:
    path = tmp_path / "tables.db"
    with Database.open(path) as database:
        models = ReadModels(a_bit_of_everything(), SqliteEngine(database))
        asyncio.run(models.project())
        yield Ground(models, path)


def differences(done: list[Verified]) -> list[RowDifference]:
    return [one.row for verified in done for one in verified.differences]


async def repaired(models: ReadModels) -> None:
    """Repair ends with the rows that the log leads to, and nothing is wrong with them."""
    plain = ReadModels(models.story, MemoryEngine(), seals=models.seals)
    await plain.project()
    done = await models.verify(repair=True)
    assert all((one.repaired is None) == one.sound for one in done)
    assert await models.rows() == await plain.rows()
    assert all(one.sound for one in await models.verify())


# Damage.


def test_nothing_is_found_where_nothing_is_wrong(ground: Ground) -> None:
    done = asyncio.run(ground.models.verify())
    assert [one.projection for one in done] == NAMES
    assert all(one.sound and not one.more for one in done)
    assert {one.upto for one in done} == {len(ground.models.story.facts)}


@pytest.mark.parametrize("table", CATALOGUE, ids=lambda table: table.name)
def test_one_byte_is_found_in_every_table(table: Any, ground: Ground) -> None:
    """At every place of a row of every table: S0-026 to S0-120."""

    @settings(max_examples=12, deadline=None)
    @given(st.data())
    def found(data: st.DataObject) -> None:
        rows = asyncio.run(ground.models.rows())
        key = data.draw(st.sampled_from([key for key in rows if key.table == table.name]))
        at = data.draw(st.integers(0, len(rows[key]) - 1))
        ground.damage(key, flipped(at))
        name = owner(key.table, key.pk)
        assert name
        (done,) = asyncio.run(ground.models.verify(name.projection))
        ground.damage(key, lambda _: rows[key])
        assert (key.pk, key.sk) in [one.row.key for one in done.differences]

    found()


@pytest.mark.parametrize("table", CATALOGUE, ids=lambda table: table.name)
def test_a_missing_and_an_extra_row_are_found_and_repaired(
    table: Any, ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifying, "PAUSE", 0)

    async def go() -> None:
        key = await ground.key(table.name)
        ground.execute(
            f'UPDATE "{table.name}" SET PK = PK || ? WHERE PK = ? AND SK = ?', "x", key.pk, key.sk
        )
        found = differences(await ground.models.verify())
        missing = [one for one in found if one.found is None]
        extra = [one for one in found if one.expected is None]
        assert [one.key for one in missing] == [(key.pk, key.sk)]
        assert [one.key for one in extra] == [(key.pk + "x", key.sk)]
        await repaired(ground.models)

    asyncio.run(go())


def test_what_indexes_go_by_is_compared_too(ground: Ground) -> None:
    async def go() -> None:
        key = await ground.key(SIGNAL_STATE.name)
        ground.execute(f'UPDATE "{key.table}" SET breach_state = ? WHERE PK = ?', "OK", key.pk)
        (one,) = differences(await ground.models.verify())
        assert one.attributes() == [(ASIDE, None, {"breach_state": "OK"})]
        await repaired(ground.models)

    asyncio.run(go())


def test_a_row_that_is_not_even_text_is_found_and_repaired(ground: Ground) -> None:
    async def go() -> None:
        key = await ground.key(PROJECTION_STATE.name)
        ground.damage(key, lambda row: b"\xff" + row[1:])
        (one,) = differences(await ground.models.verify())
        assert one.key == (key.pk, key.sk)
        await repaired(ground.models)

    asyncio.run(go())


def test_a_later_position_does_not_protect_a_wrong_row(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifying, "PAUSE", 0)

    async def go() -> None:
        key = await ground.key(SIGNAL_STATE.name)
        ground.damage(key, lambda row: orjson.dumps({**orjson.loads(row), "position": 999}))
        ground.execute(f'UPDATE "{key.table}" SET position = 999 WHERE PK = ?', key.pk)
        (one,) = differences(await ground.models.verify())
        assert [name for name, _, _ in one.attributes()] == ["position"]
        await repaired(ground.models)

    asyncio.run(go())


# What is told.


def test_it_tells_what_differs_and_which_facts_explain_it(ground: Ground) -> None:
    async def go() -> None:
        key = await ground.key(SIGNAL_STATE.name)
        before = orjson.loads((await ground.models.rows())[key])
        ground.damage(key, lambda row: orjson.dumps({**orjson.loads(row), "state": "OK"}))
        (done,) = [one for one in await ground.models.verify() if not one.sound]
        (one,) = done.differences
        assert one.row.attributes() == [("state", before["state"], "OK")]
        (fact,) = one.facts
        assert (fact.position, fact.by) == (before["position"], "jane")
        assert fact.stream == ground.models.story.facts[fact.position - 1].stream

    asyncio.run(go())


def test_personal_data_is_compared_and_never_told(ground: Ground) -> None:
    async def go() -> None:
        key = await ground.key("observability-dataset-registry")
        other = ground.models.seals.seal_name("mallory")
        ground.damage(key, lambda row: orjson.dumps({**orjson.loads(row), "updated_by": other}))
        (one,) = differences(await ground.models.verify())
        assert one.attributes() == [("updated_by", PERSONAL, DAMAGED)]

    asyncio.run(go())


def test_bits_of_a_sealed_value_that_decoding_ignores_are_compared_too(ground: Ground) -> None:
    async def go() -> None:
        key = await ground.key("observability-dataset-registry")
        sealed = orjson.loads((await ground.models.rows())[key])["updated_by"]
        at = len(sealed.rstrip("=")) - 1
        assert at < len(sealed) - 1, "the last character holds no bits to spare"
        other = sealed[:at] + chr(ord(sealed[at]) + 1) + sealed[at + 1 :]
        ground.damage(key, lambda row: row.replace(sealed.encode(), other.encode()))
        assert ground.models.seals.open(other) == ground.models.seals.open(sealed)
        (one,) = differences(await ground.models.verify())
        assert one.attributes() == [("updated_by", PERSONAL, DAMAGED)]

    asyncio.run(go())


def test_the_same_person_sealed_anew_is_no_difference(ground: Ground) -> None:
    """Another process seals with other nonces."""

    async def go() -> None:
        models = ground.models
        nonces = iter(range(1, 1_000))
        models.seals.random = lambda length: next(nonces).to_bytes(length)
        models.seals._names.clear()
        assert all(one.sound for one in await models.verify())

    asyncio.run(go())


def test_an_erased_person_is_no_difference(ground: Ground) -> None:
    async def go() -> None:
        models = ground.models
        models.seals.forget("jane")
        facts = models.story.facts
        facts[:] = [evolve(one, by="[erased]") for one in facts]
        assert all(one.sound for one in await models.verify())

    asyncio.run(go())


def test_an_expired_row_may_be_gone() -> None:
    """Engines throw it away when they like (T26)."""

    async def go() -> None:
        models = ReadModels(a_bit_of_everything(), MemoryEngine())
        await models.project()
        expired = [
            key
            for key, row in (await models.rows()).items()
            if key.table.endswith("-writers") or key.table.endswith("-readers")
        ]
        assert expired
        engine: Any = models.engine
        for key in expired:
            row = orjson.loads(engine._rows.pop(key))
            assert row["ttl"] > 0
        assert not all(one.sound for one in await models.verify())
        later = evolve(models, now=models.now.replace(year=2030))
        assert all(one.sound for one in await later.verify("lineage-index"))

    asyncio.run(go())


# While it serves.


@pytest.mark.parametrize("stale", [False, True])
def test_what_is_written_meanwhile_is_no_difference(stale: bool) -> None:
    story, bare = a_bit_of_everything(), MemoryEngine()
    writer = ReadModels(story, bare)

    async def busy() -> None:
        """Between any two pages something is recorded and folded in."""
        story.evaluate(SignalStateEnum.CRITICAL, hour=len(story.facts) % 20)
        await writer.runner.catch_up()

    async def go() -> None:
        await writer.project()
        before = len(story.facts)
        hooked = HookedEngine(bare, before_scan=busy, stale=stale)
        models = ReadModels(story, hooked, seals=writer.seals)
        (done,) = await models.verify("signal-state")
        assert (done.sound, done.upto > before) == (True, True)

    asyncio.run(go())


def test_a_row_that_another_process_is_writing_is_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Rows come before progress: a row ahead of it is looked at again."""
    story = a_bit_of_everything()
    models = ReadModels(story, MemoryEngine())
    ahead = ReadModels(story, MemoryEngine(), seals=models.seals)

    async def ends(seconds: float) -> None:
        models.engine._reached["signal-state"] = len(story.facts)  # type: ignore[attr-defined]

    async def go() -> None:
        await models.project()
        story.evaluate(SignalStateEnum.CRITICAL, hour=12)
        await ahead.project()
        models.engine._rows = ahead.engine._rows  # type: ignore[attr-defined]
        monkeypatch.setattr(asyncio, "sleep", ends)
        assert [one.sound for one in await models.verify("signal-state")] == [True]

    asyncio.run(go())


def test_a_row_that_another_process_is_taking_away_is_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    story = registered().add_rule("raw.a")
    models = ReadModels(story, MemoryEngine())
    ahead = ReadModels(story, MemoryEngine(), seals=models.seals)

    async def ends(seconds: float) -> None:
        models.engine._reached["dataset-resolution"] = len(story.facts)  # type: ignore[attr-defined]

    async def go() -> None:
        await models.project()
        story.remove_rule()
        await ahead.project()
        models.engine._rows = ahead.engine._rows  # type: ignore[attr-defined]
        monkeypatch.setattr(asyncio, "sleep", ends)
        assert [one.sound for one in await models.verify("dataset-resolution")] == [True]

    asyncio.run(go())


# Old generations.


@pytest.mark.parametrize("names", [NAMES, ["signal-state"], ["dataset-registry", "incident-index"]])
def test_old_generations_go_once_the_new_one_is_verified(names: list[str], ground: Ground) -> None:
    async def go() -> None:
        models = ground.models
        before = await models.rows()
        await models.rebuild(*names)
        await models.rebuild(*names)
        done = await models.verify()
        dropped = {one.projection: [*one.dropped] for one in done if one.dropped}
        assert dropped == {name: [1, 2] for name in names}
        assert await models.rows() == before
        assert all(one.dropped == [] for one in await models.verify())

    asyncio.run(go())
    with ground._file() as file:
        tables = [name for (name,) in file.execute("SELECT name FROM sqlite_schema")]
    assert not [name for name in tables if "-g2" in name]


def test_an_old_generation_stays_while_something_differs(ground: Ground) -> None:
    async def go() -> None:
        await ground.models.rebuild("signal-state")
        key = await ground.key(SIGNAL_STATE.name)
        moved = evolve(key, table=f"{SIGNAL_STATE.name}-g2")
        ground.damage(moved, lambda row: None)
        (done,) = await ground.models.verify("signal-state")
        assert (done.sound, done.dropped) == (False, ())
        (done,) = await ground.models.verify("signal-state", repair=True)
        assert (done.repaired, done.dropped) == (3, ())
        (done,) = await ground.models.verify("signal-state")
        assert (done.sound, [*done.dropped]) == (True, [1, 2])

    asyncio.run(go())


def test_more_than_anyone_reads_is_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "MOST_TOLD", 2)

    async def go() -> None:
        models = ReadModels(a_bit_of_everything(), MemoryEngine())
        done = await models.verify("dataset-registry")  # nothing was ever folded
        assert [(len(one.differences), one.more) for one in done] == [(2, True)]

    asyncio.run(go())


def test_an_empty_log_is_sound() -> None:
    models = ReadModels(Story(), MemoryEngine())
    assert all(one.sound for one in asyncio.run(models.verify()))
