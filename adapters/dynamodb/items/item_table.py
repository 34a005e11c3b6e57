"""One DynamoDB table, asked in a few words. Reads are strongly consistent unless told otherwise."""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

from attrs import frozen

from adapters.dynamodb.items.typed_values import Key, number, text
from adapters.dynamodb.transport.errors import ConditionFailed, DynamoError
from adapters.dynamodb.transport.transport import Item, Operation, Transport
from adapters.row_layouts.catalogue import PK, SK
from application.errors import Unavailable

LARGEST_KEY = Decimal(10) ** 30


@contextmanager
def surroundings(what: str) -> Iterator[None]:
    """Say in the application's words that DynamoDB does not answer.

    For what changes nothing, or may be done twice: there an unknown outcome is a failure.
    """
    try:
        yield
    except DynamoError as error:
        raise Unavailable(what, str(error)) from error


@frozen
class Range:
    """Sort keys from `first` to `last`, both included."""

    first: Decimal | int = 0
    last: Decimal | int = LARGEST_KEY
    newest_first: bool = False


@frozen
class ItemTable:
    transport: Transport
    name: str

    async def get(self, key: Key, *, strong: bool = True) -> Item | None:
        request = {"TableName": self.name, "Key": key.item(), "ConsistentRead": strong}
        answer = await self._asked(Operation.GET_ITEM, request)
        item: Item | None = answer.get("Item")
        return item

    async def query(
        self, pk: str, span: Range, *, limit: int, attributes: str | None = None
    ) -> Sequence[Item]:
        """The first items of a range, at most `limit`; fewer if they are large (a page is 1 MB).

        Nothing means that there is nothing.
        """
        items, _ = await self._page(pk, span, limit, None, attributes)
        return items

    async def pages(self, pk: str, span: Range, *, limit: int) -> AsyncIterator[Sequence[Item]]:
        """All items of a range, in pages of at most `limit`."""
        start: Mapping[str, Any] | None = None
        while True:
            items, start = await self._page(pk, span, limit, start, None)
            if items:
                yield items
            if start is None:
                return

    async def newest(self, pk: str, upto: Decimal | int = LARGEST_KEY) -> Item | None:
        """The item with the largest sort key up to the given one."""
        found = await self.query(pk, Range(last=upto, newest_first=True), limit=1)
        return found[0] if found else None

    async def transact(
        self, actions: Sequence[Mapping[str, Any]], *, token: str, deadline: float
    ) -> None:
        """Do all of it or nothing.

        Raises:
            Canceled: A condition did not hold, or somebody else is at the same items.
            OutcomeUnknown: It may or may not have been done.
        """
        request = {"TransactItems": actions, "ClientRequestToken": token}
        await self.transport.call(Operation.TRANSACT_WRITE_ITEMS, request, deadline=deadline)

    async def put_or_find(self, item: Item) -> Item:
        """Put the item if there is none at its key; the item that is there afterwards."""
        request = {"TableName": self.name, "Item": item, **_ABSENT}
        with surroundings(f"the table {self.name}"):
            try:
                await self.transport.call(Operation.PUT_ITEM, request)
            except ConditionFailed as error:
                if error.item is None:
                    raise
                return error.item
        return item

    def put_if_absent(self, item: Item) -> dict[str, Any]:
        """An action of a transaction; the item in the way is shown when there is one."""
        return {"Put": {"TableName": self.name, "Item": item, **_ABSENT}}

    def check_absent(self, key: Key) -> dict[str, Any]:
        return {"ConditionCheck": {"TableName": self.name, "Key": key.item(), **_ABSENT}}

    async def _page(
        self,
        pk: str,
        span: Range,
        limit: int,
        start: Mapping[str, Any] | None,
        attributes: str | None,
    ) -> tuple[Sequence[Item], Mapping[str, Any] | None]:
        request = {
            "TableName": self.name,
            "KeyConditionExpression": f"{PK} = :pk AND {SK} BETWEEN :first AND :last",
            "ExpressionAttributeValues": {
                ":pk": text(pk),
                ":first": number(span.first),
                ":last": number(span.last),
            },
            "ScanIndexForward": not span.newest_first,
            "ConsistentRead": True,
            "Limit": limit,
            **({"ExclusiveStartKey": start} if start else {}),
            **({"ProjectionExpression": attributes} if attributes else {}),
        }
        answer = await self._asked(Operation.QUERY, request)
        return answer.get("Items", ()), answer.get("LastEvaluatedKey")

    async def _asked(self, operation: Operation, request: Mapping[str, Any]) -> dict[str, Any]:
        with surroundings(f"the table {self.name}"):
            return await self.transport.call(operation, request)


_ABSENT = {
    "ConditionExpression": f"attribute_not_exists({PK})",
    "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
}
