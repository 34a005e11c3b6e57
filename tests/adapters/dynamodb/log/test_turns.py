"""Taking turns: in line, past those who are gone, and never in the way of writing."""

import asyncio
from collections.abc import Awaitable, Callable

from adapters.dynamodb.items.item_table import ItemTable
from adapters.dynamodb.items.typed_values import int_of, text_of
from adapters.dynamodb.log.keys import Keys
from adapters.dynamodb.log.turn_lease import NOBODY, TurnLease
from adapters.dynamodb.log.turn_polling import Manners
from adapters.dynamodb.log.turns import Turns
from adapters.dynamodb.transport.errors import Throttled
from tests.adapters.dynamodb.log.logs import open_log, retrying, sends_once, shared_table
from tests.adapters.dynamodb.support import dynamodb_local
from tests.adapters.dynamodb.support.scripted_transport import Scripted
from tests.adapters.eventstore.log.appends import append

UNHURRIED = Manners(turn=0.0, gone=60.0, longest_wait=60.0, calm=60.0)
"""A turn is over as soon as somebody else waits."""


class Table:
    """A lease of its own, and those who want it."""

    def __init__(self, table: ItemTable) -> None:
        self.table = table
        self.key = Keys(dynamodb_local.unused_table("turns")).lease

    def process(self, name: str, manners: Manners = UNHURRIED) -> Turns:
        # On a machine that is busy, a lease that answers may take long for it.
        turns = Turns(TurnLease(self.table, self.key, name, soon=60.0), manners)
        turns.met_others()
        return turns

    async def owner(self) -> str:
        item = await self.table.get(self.key)
        assert item is not None
        return text_of(item, "owner")

    async def in_line(self, count: int) -> None:
        """Return once so many wait."""
        while True:
            item = await self.table.get(self.key)
            if item is not None and len(item["queue"]["L"]) == count:
                return


def on_a_table(play: Callable[[Table], Awaitable[None]]) -> None:
    async def scene() -> None:
        transport = retrying(sends_once())
        try:
            await asyncio.wait_for(play(Table(ItemTable(transport, shared_table()))), timeout=60)
        finally:
            await transport.close()

    asyncio.run(scene())


def test_a_turn_goes_to_the_next_in_line() -> None:
    async def play(table: Table) -> None:
        a, b, c = (table.process(name) for name in "abc")
        assert await a.come()
        second = asyncio.create_task(b.come())
        await table.in_line(1)
        third = asyncio.create_task(c.come())
        await table.in_line(2)
        await a.wrote(more=True)
        assert not a.is_ours
        assert await second
        assert (b.is_ours, third.done(), await table.owner()) == (True, False, "b")
        await b.wrote(more=False)
        assert await third
        await c.wrote(more=False)
        assert (c.is_ours, await table.owner()) == (False, NOBODY)

    on_a_table(play)


def test_who_is_alone_keeps_its_turn_while_there_is_more() -> None:
    async def play(table: Table) -> None:
        a = table.process("a")
        await a.come()
        await a.wrote(more=True)
        assert a.is_ours
        assert not await a.come()

    on_a_table(play)


def test_an_owner_that_is_gone_is_passed_over() -> None:
    async def play(table: Table) -> None:
        gone = table.process("gone")
        await gone.come()
        impatient = table.process("b", Manners(gone=0.0, longest_wait=60.0, calm=60.0))
        assert await impatient.come()
        assert await table.owner() == "b"
        # Who was taken for gone has nothing to hand over, and does not disturb.
        await gone.wrote(more=False)
        assert (gone.is_ours, await table.owner()) == (False, "b")

    on_a_table(play)


def test_who_finds_no_turn_in_time_writes_anyway() -> None:
    async def play(table: Table) -> None:
        await table.process("a").come()
        late = table.process("b", Manners(longest_wait=0.0, calm=60.0))
        assert await late.come()
        assert not late.is_ours

    on_a_table(play)


def lease_of(transport: Scripted) -> TurnLease:
    return TurnLease(ItemTable(transport, "t"), Keys("a").lease, "me")


def test_a_lease_that_does_not_answer_keeps_nobody_from_writing() -> None:
    async def scene() -> None:
        broken = Turns(lease_of(Scripted([Throttled("x")])))
        broken.met_others()
        assert await broken.come()
        assert not broken.is_ours
        await broken.wrote(more=False)

    asyncio.run(scene())


def test_who_never_met_others_does_not_ask() -> None:
    async def scene() -> None:
        transport = Scripted([Throttled("x")])
        alone = Turns(lease_of(transport))
        assert not await alone.come()
        await alone.wrote(more=False)
        assert transport.sent == []

    asyncio.run(scene())


def test_writers_that_meet_take_turns_and_all_get_through() -> None:
    async def scene() -> None:
        app = dynamodb_local.unused_table("app")
        manners = Manners(turn=0.0)
        async with (
            open_log(app, manners=manners) as one,
            open_log(app, manners=manners) as two,
            open_log(app, manners=manners) as three,
        ):

            async def write(number: int) -> None:
                log = (one, two, three)[number % 3]
                for version in range(1, 9):
                    await log.append(append(f"a-{number}", version))

            await asyncio.gather(*map(write, range(12)))
            assert await one.head() == 96
            lease = await one.table.get(one.keys.lease)
            assert lease is not None
            # Three that took a turn once each would have stored all they had in one go.
            assert int_of(lease, "stamp") >= 6

    asyncio.run(scene())
