"""Verify, repair and generations on DynamoDB, with items damaged behind everybody's back."""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any

import orjson
import pytest
from attrs import define, evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.dynamodb.rows.row_items import POSITION, key_item, row_item
from adapters.memory.blobs import MemoryBlobs
from adapters.memory.engine import MemoryEngine
from adapters.row_layouts.catalogue import CATALOGUE, SIGNAL_STATE
from adapters.row_layouts.engine import RowKey
from adapters.row_layouts.ownership import owner
from application.maintenance import verify as verifying
from application.maintenance.verify import Verified
from tests.adapters.dynamodb.rows.engines import empty_tables, engine_on_its_thread
from tests.adapters.dynamodb.support.fixtures import client
from tests.application.projections.read_models import (
    NAMES,
    ReadModels,
    Rows,
    a_bit_of_everything,
    rows_of,
)
from tests.support.scale import scaled

Item = dict[str, Any]


@define
class Ground:
    models: ReadModels
    prefix: str
    blobs: MemoryBlobs
    plain: Rows
    """What the log leads to."""

    def item(self, key: RowKey) -> Item:
        found = client().get_item(TableName=self.prefix + key.table, Key=key_item(key))
        item: Item = found["Item"]
        return item

    def put(self, table: str, item: Item) -> None:
        client().put_item(TableName=self.prefix + table, Item=item)

    def lose(self, key: RowKey) -> None:
        client().delete_item(TableName=self.prefix + key.table, Key=key_item(key))

    def tables(self) -> list[str]:
        listed = client().list_tables(ExclusiveStartTableName=self.prefix)["TableNames"]
        return [name for name in listed if name.startswith(self.prefix)]

    async def repaired(self) -> None:
        """Repair ends with the rows that the log leads to, and nothing is wrong with them."""
        done = await self.models.verify(repair=True)
        assert all((one.repaired is None) == one.sound for one in done)
        assert same(await self.models.rows(), self.plain)
        assert all(one.sound for one in await self.models.verify())


@pytest.fixture
def ground() -> Iterator[Ground]:
    blobs, story = MemoryBlobs(), a_bit_of_everything()
    with empty_tables() as prefix, engine_on_its_thread(prefix, blobs=blobs) as engine:
        models = ReadModels(story, engine, at_once=100)
        plain = ReadModels(story, MemoryEngine(), seals=models.seals)
        asyncio.run(plain.project())
        asyncio.run(models.project())
        yield Ground(models, prefix, blobs, asyncio.run(plain.rows()))


def same(some: Rows, others: Rows) -> bool:
    """DynamoDB keeps no order of attributes, and 1.0 as 1."""
    loaded = [{key: orjson.loads(row) for key, row in rows.items()} for rows in (some, others)]
    return bool(loaded[0] == loaded[1])


def keys(done: list[Verified]) -> list[RowKey]:
    return [RowKey(one.row.table, *one.row.key) for each in done for one in each.differences]


# One byte.


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where there is something in an item that is no more than a text, a number or a sign."""
    ((kind, held),) = value.items()
    if kind == "M":
        for name, one in held.items():
            yield from leaves(one, (*path, "M", name))
    elif kind == "L":
        for number, one in enumerate(held):
            yield from leaves(one, (*path, "L", number))
    else:
        yield path


def with_one_byte_changed(item: Item, path: tuple[Any, ...], at: int) -> Item:
    changed: Item = orjson.loads(orjson.dumps(item))
    place: Any = changed
    for step in path:
        place = place[step]
    ((kind, held),) = place.items()
    if kind in ("S", "N"):
        place[kind] = _flipped(held, at % (len(held) or 1), "7" if kind == "N" else "~")
    elif kind == "BOOL":
        place[kind] = not held
    else:
        place["S"] = str(place.pop(kind))
    return changed


def _flipped(text: str, at: int, to: str) -> str:
    other = to if text[at : at + 1] != to else "3"
    return text[:at] + other + text[at + 1 :]


@pytest.mark.parametrize("table", CATALOGUE, ids=lambda table: table.name)
def test_one_byte_is_found_in_every_table(table: Any, ground: Ground) -> None:
    """S0-026 to S0-120."""
    mine = sorted((key for key in ground.plain if key.table == table.name), key=str)
    assert mine

    @settings(max_examples=scaled(3, 40), deadline=None)
    @given(st.data())
    def found(data: st.DataObject) -> None:
        key = data.draw(st.sampled_from(mine))
        item = ground.item(key)
        places = [(n, *path) for n in item if n not in ("PK", "SK") for path in leaves(item[n])]
        path, at = data.draw(st.sampled_from(places)), data.draw(st.integers(0, 60))
        ground.put(key.table, with_one_byte_changed(item, path, at))
        holding = owner(key.table, key.pk)
        assert holding
        done = asyncio.run(ground.models.verify(holding.projection))
        ground.put(key.table, item)
        assert key in keys(done)

    found()


def test_flipping_changes_one_thing() -> None:
    several = [{"N": "7"}, {"S": "xy"}, {"NULL": True}, {"S": ""}]
    item: Item = {"a": {"M": {"b": {"L": several}}}, "c": {"BOOL": True}}
    places = [(name, *path) for name in item for path in leaves(item[name])]
    changed = [with_one_byte_changed(item, path, 1) for path in places]
    assert len(changed) == 5
    assert all(one != item for one in changed)
    assert changed[0] == {**item, "a": {"M": {"b": {"L": [{"N": "3"}, *several[1:]]}}}}


# Rows that are gone, too many, or elsewhere.


def test_a_missing_and_an_extra_row_of_every_table_are_found_and_repaired(ground: Ground) -> None:
    missing, extra = set[RowKey](), set[RowKey]()
    for table in CATALOGUE:
        key = next(key for key in ground.plain if key.table == table.name)
        item, other = ground.item(key), evolve(key, pk=key.pk + "x")
        ground.lose(key)
        ground.put(key.table, {**item, **key_item(other)})
        missing.add(key)
        extra.add(other)

    async def go() -> None:
        done = await ground.models.verify()
        rows = [one.row for each in done for one in each.differences]
        assert {RowKey(o.table, *o.key) for o in rows if o.found is None} == missing
        assert {RowKey(o.table, *o.key) for o in rows if o.expected is None} == extra
        assert len(rows) == 2 * len(CATALOGUE)
        await ground.repaired()

    asyncio.run(go())


def test_a_later_position_does_not_protect_a_wrong_row(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifying, "PAUSE", 0)
    key = next(key for key in ground.plain if key.table == SIGNAL_STATE.name)
    ground.put(key.table, {**ground.item(key), POSITION: {"N": "999"}})

    async def go() -> None:
        assert keys(await ground.models.verify()) == [key]
        await ground.repaired()

    asyncio.run(go())


@pytest.mark.parametrize(
    "damage",
    [
        {"blob": {"S": "rows/nowhere"}},
        {"json": {"B": "e30="}},
        {"json": {"B": "bm8="}},
        {"deleted": {"BOOL": True}},
        {"score": {"SS": ["x"]}},
    ],
    ids=["no blob", "another row", "no JSON", "a grave", "a type of no row"],
)
def test_an_item_that_is_no_row_any_more_is_found_and_repaired(
    damage: Mapping[str, Any], ground: Ground
) -> None:
    key = next(key for key in ground.plain if key.table == SIGNAL_STATE.name)
    ground.put(key.table, {**ground.item(key), **damage})

    async def go() -> None:
        assert keys(await ground.models.verify("signal-state")) == [key]
        await ground.repaired()

    asyncio.run(go())


def test_what_lies_beside_a_large_row_is_compared_too(ground: Ground) -> None:
    """Queries and expiry go by the item, whatever the row says that it refers to."""
    key = next(key for key in ground.plain if key.table == SIGNAL_STATE.name)
    row = orjson.loads(ground.plain[key])
    asyncio.run(ground.blobs.put("rows/elsewhere", ground.plain[key]))
    needed = ("PK", "SK", POSITION, "breach_state", "breach_rank")
    stub = row_item({name: row[name] for name in needed if name in row})
    ground.put(key.table, {**stub, "blob": {"S": "rows/elsewhere"}})
    assert all(one.sound for one in asyncio.run(ground.models.verify("signal-state")))
    ground.put(key.table, {**stub, "blob": {"S": "rows/elsewhere"}, "ttl": {"N": "1"}})
    assert keys(asyncio.run(ground.models.verify("signal-state"))) == [key]


# Generations.


def test_old_generations_go_once_the_new_one_is_verified(ground: Ground) -> None:
    async def go() -> None:
        models = ground.models
        await models.rebuild()
        await models.rebuild()
        done = await models.verify()
        assert [[*one.dropped] for one in done] == [[1, 2]] * len(NAMES)
        assert same(await models.rows(), ground.plain)
        assert await rows_of(models.engine) == {}

    asyncio.run(go())
    names = {name.removeprefix(ground.prefix) for name in ground.tables()}
    assert {table.name for table in CATALOGUE} <= names
    assert not [name for name in names if name.endswith("-g2")]
    assert [name for name in names if name.endswith("-g3")]
