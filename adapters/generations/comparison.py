"""
Comparing the rows that are served with those of a draft.

Personal values are compared opened, because every sealing of the same value looks different; a
person whose key is gone is erased on both sides. They are never told.
"""

import base64
import binascii
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen
from cryptography.exceptions import InvalidTag

from adapters.eventstore.sealing.seals import Seals, is_sealed
from adapters.generations.generation_tables import table_name
from adapters.generations.table_generations import PAGE, pages
from adapters.row_layouts.catalogue import PK, SK
from adapters.row_layouts.engine import ASIDE, Row, RowKey, TableEngine, Unreadable
from adapters.row_layouts.expiry import alive
from adapters.row_layouts.ownership import Holding
from application.errors import Unavailable
from application.maintenance.generations import RowDifference
from application.maintenance.progress import LongWork
from application.ports.clock import Clock

PERSONAL = "(personal)"
DAMAGED = "(personal, damaged)"

Found = Mapping[RowKey, Row | None]


@frozen
class Comparison:
    """The rows of one projection: those of a generation, and those that the log leads to."""

    holding: Holding
    number: int
    served: TableEngine
    draft: TableEngine
    seals: Seals
    clock: Clock

    async def differences(self, work: LongWork) -> AsyncIterator[RowDifference]:
        work.begin(f"{self.holding.projection}: comparing rows")
        seen = 0
        for table in self.holding.places:
            # What is found and differs or should not be there, then what is missing.
            async for rows in pages(self.served, table, self.holding, PAGE, self.number):
                for one in await self._compared(_by_key(table.name, rows)):
                    yield one
                seen += len(rows)
                work.reached(seen)
            async for rows in pages(self.draft, table, self.holding, PAGE):
                found = await self._found([*_by_key(table.name, rows)])
                for one in await self._compared(found):
                    if one.found is None:
                        yield one

    async def again(self, suspects: Sequence[RowDifference]) -> Sequence[RowDifference]:
        found: dict[RowKey, Row | None] = {}
        for one in suspects:
            key = RowKey(one.table, *one.key)
            row = found[key] = await self._found_one(key)
            if row and one.found and _is_same_writing(row, one.found):
                # Only a scan sees what lies beside a row.
                found[key] = {ASIDE: one.found[ASIDE], **row}
        return await self._compared(found)

    async def _found(self, keys: Sequence[RowKey]) -> Found:
        """By what the rows say of themselves: what does not agree is looked at alone, later."""
        try:
            rows = await self.served.get([self._place(key) for key in keys], strong=True)
        except (ValueError, Unreadable):
            return {key: await self._found_one(key) for key in keys}
        by_place = {(row.get(PK), row.get(SK)): row for row in rows}
        return {key: by_place.get((key.pk, key.sk)) for key in keys}

    async def _found_one(self, key: RowKey) -> Row | None:
        try:
            return next(iter(await self.served.get([self._place(key)], strong=True)), None)
        except (ValueError, Unreadable) as error:
            return {PK: key.pk, SK: key.sk, ASIDE: f"it cannot be read: {error}"}

    def _place(self, key: RowKey) -> RowKey:
        return evolve(key, table=table_name(key.table, self.number))

    async def _compared(self, found: Found) -> Sequence[RowDifference]:
        expected: dict[RowKey, Row] = {}
        for table in {key.table for key in found}:
            keys = [key for key in found if key.table == table]
            expected |= _by_key(table, await self.draft.get(keys))
        return [
            self._told(key, expected.get(key), row)
            for key, row in found.items()
            if not self._same(expected.get(key), row)
        ]

    def _same(self, expected: Row | None, found: Row | None) -> bool:
        if expected is None or found is None:
            # An engine throws expired rows away when it likes.
            row = expected or found
            return row is None or (found is None and not alive(row, self.clock.now()))
        return bool(unsealed(expected, self._opened) == unsealed(found, self._opened))

    def _told(self, key: RowKey, expected: Row | None, found: Row | None) -> RowDifference:
        """Sealed values of which one is wrong stay apart from each other, and unread."""
        right = None if expected is None else unsealed(expected, lambda value: PERSONAL)
        wrong = None if found is None else self._unread(expected or {}, found)
        return RowDifference(key.table, (key.pk, key.sk), right, wrong)

    def _unread(self, expected: Row, found: Row) -> Row:
        """Attributes that agree once opened are told alike."""
        told: dict[str, Any] = {}
        for name, value in found.items():
            right = unsealed(expected.get(name), self._opened)
            agrees = right == unsealed(value, self._opened)
            told[name] = unsealed(value, lambda _, ok=agrees: PERSONAL if ok else DAMAGED)
        return told

    def _opened(self, token: str) -> str:
        try:
            return self.seals.open(token) if _is_canonical(token) else DAMAGED
        except (InvalidTag, Unavailable, ValueError):
            return DAMAGED


def unsealed(value: Any, opened: Any) -> Any:
    """The value with every sealed one in it replaced."""
    if isinstance(value, str):
        return opened(value) if is_sealed(value) else value
    if isinstance(value, Mapping):
        return {name: unsealed(one, opened) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [unsealed(one, opened) for one in value]
    return value


def _is_canonical(token: str) -> bool:
    """Base64 has bits that decoding ignores; a token in which one is set was tampered with."""
    body = token.rpartition(".")[2]
    try:
        return base64.urlsafe_b64encode(base64.urlsafe_b64decode(body)).decode() == body
    except binascii.Error:
        return False


def _is_same_writing(row: Row, scanned: Row) -> bool:
    return ASIDE in scanned and row.get("position") == scanned.get("position")


def _by_key(table: str, rows: Sequence[Row]) -> dict[RowKey, Row]:
    return {RowKey(table, row[PK], row[SK]): row for row in rows}
