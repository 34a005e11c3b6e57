"""Mending a DynamoDB log: spans and blocks follow from the batches, which stay as they are."""

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from adapters.dynamodb.items.typed_values import Key, number, text
from adapters.dynamodb.log.packing import Placed
from adapters.dynamodb.log.spans import span_item
from adapters.dynamodb.log_maintenance.remedies import (
    AnnounceBlock,
    RebuildSpan,
    RemoveBlob,
    RemoveSpan,
)
from adapters.dynamodb.log_maintenance.span_ledger import SpanAt
from adapters.dynamodb.log_reading.log_reader import LogReader
from adapters.dynamodb.transport.errors import ConditionFailed, DynamoError
from adapters.dynamodb.transport.transport import Item, Operation
from adapters.eventstore.inspection.inspector import Finding
from adapters.row_layouts.catalogue import PK, SK
from application.errors import Unavailable

_ABSENT = {"ConditionExpression": f"attribute_not_exists({PK})"}


@frozen
class DynamoMender:
    """Writes only where nothing has changed since it was looked at."""

    reader: LogReader

    async def mend(self, finding: Finding) -> None:
        match finding.remedy:
            case RebuildSpan(wanted):
                item = await self._span(finding, wanted)
                await self._put(finding, item, _instead_of(finding.remedy))
            case RemoveSpan(span):
                key = self.reader.keys.span(span.stream, span.sk)
                request = {"Key": key.item(), **_as_seen(span)}
                await self._call(finding, Operation.DELETE_ITEM, request)
            case RemoveBlob(name):
                await self.reader.payloads.drop(name)
            case AnnounceBlock(block, first):
                item = {
                    PK: text(self.reader.keys.blocks),
                    SK: number(block),
                    "first": number(first),
                }
                await self._put(finding, item, {} if finding.remedy.is_taken else _ABSENT)

    async def _span(self, finding: Finding, wanted: SpanAt) -> Item:
        batch = await self.reader.batch(wanted.batch)
        if batch is None:
            raise Unavailable(finding.where, "its batch is not there any more")
        placed = [
            Placed(entry.position - batch.first, entry.event)
            for entry in await self.reader.entries(batch)
            if entry.stream == wanted.stream
        ]
        key = Key(self.reader.keys.stream(wanted.stream), wanted.sk)
        return span_item(key, wanted.stream, placed, batch=batch.first, ms=batch.ms)

    async def _put(self, finding: Finding, item: Item, condition: Mapping[str, Any]) -> None:
        await self._call(finding, Operation.PUT_ITEM, {"Item": item, **condition})

    async def _call(
        self, finding: Finding, operation: Operation, request: Mapping[str, Any]
    ) -> None:
        table = self.reader.table
        try:
            await table.transport.call(operation, {"TableName": table.name, **request})
        except ConditionFailed as error:
            raise Unavailable(finding.where, "it has changed since it was looked at") from error
        except DynamoError as error:
            raise Unavailable(finding.where, str(error)) from error


def _instead_of(remedy: RebuildSpan) -> Mapping[str, Any]:
    """Where nothing is, or instead of what was seen there, if that could be read at all."""
    if not remedy.is_taken:
        return _ABSENT
    return {} if remedy.replaces is None else _as_seen(remedy.replaces)


def _as_seen(span: SpanAt) -> dict[str, Any]:
    return {
        "ConditionExpression": "p = :p AND #last = :last",
        "ExpressionAttributeNames": {"#last": "last"},
        "ExpressionAttributeValues": {":p": number(span.batch), ":last": number(span.last)},
    }
