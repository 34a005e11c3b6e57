"""Rows, and calls of a table engine that wait for the answer."""

import asyncio
from typing import Any

from adapters.row_layouts.catalogue import SIGNAL_STATE, STATE_TIER_INDEX
from adapters.row_layouts.engine import Delete, Put, Row, RowKey, RowPage, TableEngine

TABLE = SIGNAL_STATE.name


def row(pk: str = "a", sk: str = "x", position: int = 1, **attributes: Any) -> Row:
    return {"PK": pk, "SK": sk, "position": position, **attributes}


def in_breach(pk: str, rank: str, state: str = "CRITICAL") -> Row:
    return row(pk, breach_state=state, breach_rank=rank)


def write(engine: TableEngine, *changes: Put | Delete, upto: int) -> None:
    asyncio.run(engine.write("projection", changes, upto=upto))


def put(engine: TableEngine, *rows: Row, upto: int = 1, table: str = TABLE) -> None:
    write(engine, *(Put(table, row) for row in rows), upto=upto)


def get(engine: TableEngine, pk: str = "a", sk: str = "x", table: str = TABLE) -> Row | None:
    return next(iter(asyncio.run(engine.get([RowKey(table, pk, sk)]))), None)


def query(engine: TableEngine, pk: str = "a", **options: Any) -> RowPage:
    return asyncio.run(engine.query(TABLE, pk, **options))


def worst(engine: TableEngine, state: str = "CRITICAL", **options: Any) -> RowPage:
    return asyncio.run(engine.query_index(TABLE, STATE_TIER_INDEX.name, state, **options))


def sks(page: RowPage) -> list[str]:
    return [row["SK"] for row in page.rows]


def ranks(page: RowPage) -> list[str]:
    return [row["breach_rank"] for row in page.rows]


def scanned(engine: TableEngine, table: str, limit: int) -> list[list[str]]:
    pages: list[list[str]] = []
    after: tuple[str, ...] | None = None
    while True:
        page = asyncio.run(engine.scan(table, limit=limit, after=after))
        pages.append([f"{row['PK']}/{row['SK']}" for row in page.rows])
        after = page.next
        if after is None:
            return pages
