"""Engines against a simple model: any history of writes, asked in any way, gives the same rows."""

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from attrs import define, field
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from adapters.row_layouts.catalogue import SIGNAL_STATE, STATE_TIER_INDEX, Index
from adapters.row_layouts.engine import Delete, Put, Row, RowKey, RowPage
from tests.adapters.row_layouts.engines import KINDS, Kind
from tests.support.scale import scaled

TABLE = SIGNAL_STATE.name
PKS = ["a", "a#", "b"]
SKS = ["S", "S#1", "S#2", "Sé", "T", "T\uffee", "T\U0001f600"]
STATES = ["CRITICAL", "WARNING"]
RANKS = ["TIER_1#a", "TIER_1#b", "TIER_2#a", "TIER_2\U0010ffff"]

positions = st.integers(1, 12)
partitions = st.sampled_from(PKS)
prefixes = st.sampled_from(["", "S", "S#", "T", "TIER_1#", "TIER_2", "Z"])
limits = st.none() | st.integers(1, 4)

puts = st.fixed_dictionaries(
    {"PK": partitions, "SK": st.sampled_from(SKS), "position": positions},
    optional={
        "breach_state": st.sampled_from(STATES),
        "breach_rank": st.sampled_from(RANKS),
        "content": st.integers(0, 99),
    },
).map(lambda row: Put(TABLE, row))
deletes = st.builds(
    lambda pk, sk, position: Delete(RowKey(TABLE, pk, sk), position),
    partitions,
    st.sampled_from(SKS),
    positions,
)
changes = st.lists(puts | deletes, max_size=8)
remembered = st.lists(puts | deletes, max_size=2)

Changes = Sequence[Put | Delete]


@define
class Model:
    """What the protocol says, in the fewest words."""

    rows: dict[tuple[str, str], Row] = field(factory=dict)
    reached: int = 0
    graves: dict[tuple[str, str], int] | None = None
    """At which positions rows were taken away, where that is remembered."""

    def write(self, changes: Sequence[Put | Delete], upto: int) -> None:
        if upto <= self.reached:
            return
        self.reached = upto
        for change in changes:
            self.put(change.row) if isinstance(change, Put) else self.delete(change)

    def put(self, row: Row) -> None:
        key = (row["PK"], row["SK"])
        age = self.rows[key]["position"] if key in self.rows else self.buried(key)
        if age < row["position"]:
            self.rows[key] = row

    def delete(self, change: Delete) -> None:
        key = (change.key.pk, change.key.sk)
        there = self.rows.get(key)
        if there is None or there["position"] <= change.position:
            self.rows.pop(key, None)
            self.bury(key, change.position)

    def buried(self, key: tuple[str, str]) -> int:
        return (self.graves or {}).get(key, 0)

    def bury(self, key: tuple[str, str], position: int) -> None:
        if self.graves is not None:
            self.graves[key] = max(position, self.buried(key))

    def partition(self, pk: str, prefix: str) -> list[Row]:
        rows = [row for row in self.rows.values() if row["PK"] == pk]
        return sorted(
            (row for row in rows if row["SK"].startswith(prefix)), key=lambda row: row["SK"]
        )

    def indexed(self, index: Index, value: str, prefix: str) -> list[Row]:
        rows = [row for row in self.rows.values() if index.holds(row) and row[index.hash] == value]
        return sorted((row for row in rows if row[index.range].startswith(prefix)), key=index.place)


class EngineMachine(RuleBasedStateMachine):
    kind: ClassVar[Kind]

    def __init__(self) -> None:
        super().__init__()
        self.model = Model(graves={} if self.kind.graves else None)
        self.last: tuple[Changes, Changes, int] = ([], [], 0)
        self.loop = asyncio.Runner()
        self.ends = ExitStack()
        self.opened = ExitStack()

    @initialize()
    def open(self) -> None:
        folder = Path(self.ends.enter_context(TemporaryDirectory()))
        self.opens = self.ends.enter_context(self.kind.ground(folder))
        self.reopen()

    @precondition(lambda self: self.kind.durable)
    @rule()
    def restart(self) -> None:
        self.reopen()

    def reopen(self) -> None:
        self.opened.close()
        self.engine = self.opened.enter_context(self.opens())

    def teardown(self) -> None:
        self.opened.close()
        self.ends.close()
        self.loop.close()

    # Writing.

    @rule(changes=changes, remembered=remembered, step=st.integers(-1, 3))
    def write(self, changes: Changes, remembered: Changes, step: int) -> None:
        self.last = (changes, remembered, self.model.reached + step)
        self.deliver(*self.last)

    @rule()
    def redeliver(self) -> None:
        self.deliver(*self.last)

    def deliver(self, changes: Changes, remembered: Changes, upto: int) -> None:
        self.model.write([*changes, *remembered], upto)
        writing = self.engine.write("projection", changes, upto=upto, remembered=remembered)
        self.loop.run(writing)

    # Reading.

    @rule(pk=partitions, prefix=prefixes, descending=st.booleans(), limit=limits)
    def query(self, pk: str, prefix: str, descending: bool, limit: int | None) -> None:
        expected = self.model.partition(pk, prefix)
        found = self.pages(
            "query", TABLE, pk, begins_with=prefix, descending=descending, limit=limit
        )
        assert found == (expected[::-1] if descending else expected)

    @rule(state=st.sampled_from(STATES), prefix=prefixes, descending=st.booleans(), limit=limits)
    def query_index(self, state: str, prefix: str, descending: bool, limit: int | None) -> None:
        expected = self.model.indexed(STATE_TIER_INDEX, state, prefix)
        asked: dict[str, Any] = {"begins_with": prefix, "descending": descending, "limit": limit}
        found = self.pages("query_index", TABLE, STATE_TIER_INDEX.name, state, **asked)
        assert found == (expected[::-1] if descending else expected)

    def pages(self, question: str, *where: str, limit: int | None, **how: Any) -> list[Row]:
        """All rows, read page by page."""
        ask = getattr(self.engine, question)
        page: RowPage = self.loop.run(ask(*where, limit=limit, **how))
        rows = list(page.rows)
        while page.next is not None:
            assert len(page.rows) == limit
            page = self.loop.run(ask(*where, limit=limit, after=page.next, **how))
            assert page.rows
            rows += page.rows
        return rows

    @invariant()
    def same_rows(self) -> None:
        keys = [RowKey(TABLE, pk, sk) for pk in PKS for sk in SKS]
        found = {(row["PK"], row["SK"]): row for row in self.loop.run(self.engine.get(keys))}
        assert found == self.model.rows

    @invariant()
    def same_progress(self) -> None:
        assert self.loop.run(self.engine.reached("projection")) == self.model.reached


class MemoryMachine(EngineMachine):
    kind = KINDS["memory"]


class SqliteMachine(EngineMachine):
    kind = KINDS["sqlite"]


class DynamoMachine(EngineMachine):
    kind = KINDS["dynamodb"]


TestMemory = MemoryMachine.TestCase
TestMemory.settings = settings(max_examples=50, stateful_step_count=30, deadline=None)

TestSqlite = SqliteMachine.TestCase
TestSqlite.settings = settings(max_examples=30, stateful_step_count=30, deadline=None)

TestDynamo = DynamoMachine.TestCase
TestDynamo.settings = settings(max_examples=scaled(7, 100), stateful_step_count=20, deadline=None)
