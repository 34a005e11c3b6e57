"""Dead letters, read from their rows, on every engine."""

import asyncio
from collections.abc import Sequence

import orjson

from adapters.eventstore.sealing.seals import Seals
from adapters.memory.keys import MemoryKeys
from adapters.read_models.dead_letters import TableDeadLetters
from adapters.read_models.view_store import TableCards
from adapters.row_layouts.dead_letter_rows import from_row, key_of, to_row
from adapters.row_layouts.engine import TableEngine
from application.delivery.dead_letter_read_model import DeadLetterView
from application.reads.paging import PageRequest
from tests.adapters.row_layouts.sample_views import NOON


def letter(sink: str, number: int) -> DeadLetterView:
    return DeadLetterView(sink, f"{number:032x}", "INCIDENT_CREATED", number, "no", 1, NOON)


def filed(engine: TableEngine, letters: Sequence[DeadLetterView], at: int = 1) -> None:
    changes = {one.key: (one, at) for one in letters}
    cards = TableCards(engine, Seals(MemoryKeys()))
    asyncio.run(cards.file("dead-letters", changes, upto=at))


def all_of(engine: TableEngine, sink: str | None, size: int) -> list[DeadLetterView]:
    async def read() -> list[DeadLetterView]:
        found: list[DeadLetterView] = []
        page = PageRequest(size)
        while True:
            read = await TableDeadLetters(engine).letters(sink, page)
            found += read.items
            if read.next is None:
                return found
            page = PageRequest(size, read.next)

    return asyncio.run(read())


def test_a_letter_comes_back_from_its_row() -> None:
    row = orjson.loads(orjson.dumps(to_row(letter("webhook-a", 1), 5)))
    assert from_row(row) == letter("webhook-a", 1)
    assert key_of(row) == letter("webhook-a", 1).key


def test_they_come_by_sink_and_age_page_by_page(engine: TableEngine) -> None:
    letters = [letter(sink, number) for sink in ("sns", "webhook-a") for number in range(1, 6)]
    filed(engine, letters[::-1])
    for size in (1, 2, 100):
        assert all_of(engine, None, size) == letters
        assert all_of(engine, "sns", size) == letters[:5]
    assert all_of(engine, "webhook", 10) == []


def test_they_are_counted_up_to_a_point(engine: TableEngine) -> None:
    filed(engine, [letter("sns", number) for number in range(7)])
    assert asyncio.run(TableDeadLetters(engine).count(most=100)) == 7
    assert asyncio.run(TableDeadLetters(engine).count(most=5)) == 5


def test_what_ended_is_gone(engine: TableEngine) -> None:
    filed(engine, [letter("sns", 1), letter("sns", 2)])
    cards = TableCards(engine, Seals(MemoryKeys()))
    asyncio.run(cards.file("dead-letters", {letter("sns", 1).key: (None, 2)}, upto=2))
    assert all_of(engine, None, 10) == [letter("sns", 2)]
