"""
Walking along a dataset's evidence, the last created first.

DynamoDB keeps no order among those that were created in the same millisecond: they are read
together and put into the order of their ids. A page goes on after a place, whether or not something
is still there.
"""

from collections.abc import AsyncIterator, Mapping
from datetime import datetime
from typing import Any

from attrs import frozen

from adapters.dynamodb.items.item_table import surroundings
from adapters.dynamodb.items.typed_values import text, text_of
from adapters.dynamodb.rows.row_items import row_of
from adapters.dynamodb.transport.transport import Item, Operation, Transport
from adapters.row_layouts.catalogue import EVIDENCE_TIME_INDEX
from adapters.row_layouts.engine import Row
from adapters.row_layouts.evidence_rows import place, place_after, span
from adapters.row_layouts.expiry import alive
from application.evidence.archive import EvidenceAsked
from application.reads.paging import Page, PageRequest


@frozen
class EvidenceWalk:
    transport: Transport
    table: str
    asked: EvidenceAsked
    request: PageRequest

    async def page(self, now: datetime) -> Page[Row]:
        """Without what has ended, which may still be there (T26)."""
        found: list[Row] = []
        async for row in self._in_order():
            if not alive(row, now):
                continue
            if len(found) == self.request.size:
                return Page(found, place(found[-1]), [place(one) for one in found])
            found.append(row)
        return Page(found, None, [place(one) for one in found])

    async def _in_order(self) -> AsyncIterator[Row]:
        after, equals = place_after(self.request), list[Row]()
        async for item in self._items():
            if equals and text_of(item, "created_at") != equals[0]["created_at"]:
                for row in _sorted(equals, after):
                    yield row
                equals = []
            equals.append(row_of(item))
        for row in _sorted(equals, after):
            yield row

    async def _items(self) -> AsyncIterator[Item]:
        """As DynamoDB shows them, a page of its own after the other."""
        request = self._query()
        while request is not None:
            with surroundings(f"the table {self.table}"):
                answer = await self.transport.call(Operation.QUERY, request)
            for item in answer.get("Items", ()):
                yield item
            start = answer.get("LastEvaluatedKey")
            request = {**request, "ExclusiveStartKey": start} if start else None

    def _query(self) -> dict[str, Any] | None:
        (first, last), after = span(self.asked), place_after(self.request)
        last = min(last, after[0]) if after else last
        if first > last:
            return None  # DynamoDB refuses a span that ends before it begins.
        hash_key, range_key = EVIDENCE_TIME_INDEX.hash, EVIDENCE_TIME_INDEX.range
        return {
            "TableName": self.table,
            "IndexName": EVIDENCE_TIME_INDEX.name,
            "KeyConditionExpression": f"{hash_key} = :dataset AND {range_key} BETWEEN :a AND :z",
            "ExpressionAttributeValues": _values(self.asked.dataset, first, last),
            "ScanIndexForward": False,
            # Where the page before ended is read again; one beyond tells that there is more, and
            # one beyond that, that no other was created together with the last.
            "Limit": self.request.size + 3,
        }


def _values(dataset: str, first: str, last: str) -> Mapping[str, Any]:
    return {":dataset": text(dataset), ":a": text(first), ":z": text(last)}


def _sorted(rows: list[Row], after: tuple[str, str] | None) -> list[Row]:
    wanted = [row for row in rows if after is None or place(row) < after]
    return sorted(wanted, key=place, reverse=True)
