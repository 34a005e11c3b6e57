"""Writes wait for others where that pays, and for nobody else."""

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any

import apsw
import pytest

from adapters.sqlite.connection import writer
from adapters.sqlite.connection.database import Database
from tests.adapters.sqlite.jobs import keep, kept
from tests.support.event_loop_turns import others_go_on

PATIENCE = 30.0
"""Seconds; nothing here takes nearly as long unless it waits for good."""


def test_writes_of_one_turn_of_a_loop_share_one_transaction(database: Database) -> None:
    commits = []

    def count() -> bool:
        commits.append(1)
        return False

    async def read_and_write(number: int) -> None:
        # Reading lets the writer's thread run, if it has anything to do.
        database.rows("SELECT value FROM kept")
        await database.write(keep(number))

    async def scenario() -> None:
        await asyncio.gather(*(read_and_write(number) for number in range(100)))

    database.submit(lambda c: c.set_commit_hook(count)).result()
    del commits[:]
    asyncio.run(scenario())
    assert len(commits) == 1
    assert len(kept(database)) == 100


def play(scenario: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(scenario, PATIENCE))


def keep_all(connection: apsw.Connection, values: Sequence[Any]) -> Sequence[Any]:
    return [keep(value)(connection) for value in values]


async def append(database: Database, value: Any) -> None:
    """A write that expects others."""
    await database.queue_together(keep_all, value, expects_others=True)


async def append_together(database: Database, count: int = 2) -> None:
    await asyncio.gather(*(append(database, number) for number in range(count)))


def never_enough(monkeypatch: pytest.MonkeyPatch, longest: float = 3_600.0) -> None:
    """Whoever waits for others does so for good, or as long as is said."""
    monkeypatch.setattr(writer, "QUIET_TURNS", 10**9)
    monkeypatch.setattr(writer, "LONGEST_WAIT", longest)


def test_writes_of_a_few_turns_share_one_transaction_where_several_write(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "LONGEST_WAIT", 3_600.0)
    commits = []

    def count() -> bool:
        commits.append(1)
        return False

    async def later(turns: int) -> None:
        await others_go_on(turns)
        await append(database, turns)

    async def scenario() -> None:
        await append_together(database)
        del commits[:]
        await asyncio.gather(*(later(turns) for turns in range(1, 50, 4)))

    database.submit(lambda c: c.set_commit_hook(count)).result()
    asyncio.run(scenario())
    assert len(commits) == 1


def test_who_writes_alone_waits_for_nobody(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    never_enough(monkeypatch)

    async def scenario() -> None:
        for number in range(3):
            await append(database, number)
            # As projections do: they come together, and say nothing about who comes next.
            await asyncio.gather(*(database.write(keep(-1)) for _ in range(6)))

    play(scenario())
    assert len(kept(database)) == 3 * 7


def test_who_expects_no_others_waits_for_none(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    never_enough(monkeypatch)

    async def scenario() -> None:
        await append_together(database, writer.ENOUGH)
        await database.write(keep("alone"))

    play(scenario())
    assert kept(database)[-1] == "alone"


def test_a_write_waits_for_others_no_longer_than_it_may(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    never_enough(monkeypatch, longest=0.0)

    async def scenario() -> None:
        await append_together(database)
        await append(database, "alone")

    play(scenario())
    assert kept(database)[-1] == "alone"


def test_enough_writes_wait_for_no_more(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    never_enough(monkeypatch)

    async def scenario() -> None:
        await append_together(database, writer.ENOUGH)
        await append_together(database, 2 * writer.ENOUGH)

    play(scenario())
    assert len(kept(database)) == 3 * writer.ENOUGH


@pytest.mark.parametrize("closed", [False, True])
def test_a_loop_waits_for_no_other_that_gathers(
    database: Database, monkeypatch: pytest.MonkeyPatch, closed: bool
) -> None:
    """It may have stopped in the middle of that."""
    never_enough(monkeypatch)
    asyncio.run(append_together(database, writer.ENOUGH))
    stopped = asyncio.new_event_loop()
    theirs = stopped.create_task(append(database, "theirs"))
    stopped.run_until_complete(others_go_on(3))
    if closed:
        theirs.cancel()
        stopped.run_until_complete(asyncio.gather(theirs, return_exceptions=True))
        stopped.close()
    play(append(database, "mine"))
    assert kept(database)[-1] == "mine"
    if not closed:
        stopped.run_until_complete(theirs)
        stopped.close()


def test_a_thread_waits_for_no_turn_of_a_loop(database: Database) -> None:
    async def scenario() -> None:
        theirs = database.queue_together(lambda c, items: [keep(one)(c) for one in items], "theirs")
        assert database.submit(keep("mine")).result() == "mine"
        assert await theirs == "theirs"

    asyncio.run(scenario())
    assert kept(database) == ["theirs", "mine"]
