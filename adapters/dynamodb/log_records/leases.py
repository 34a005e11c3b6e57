"""
Leases as items of the log's table, one for each piece of work.

    W#<app>#<work>   0   owner, stamp, load, wanted_by, wanted_load

A renewal is one PutItem, a look one GetItem at half price.
"""

from attrs import frozen

from adapters.dynamodb.items.item_table import ItemTable, surroundings
from adapters.dynamodb.items.typed_values import int_of, number, text, text_of
from adapters.dynamodb.log.keys import Keys
from adapters.dynamodb.transport.errors import ConditionFailed
from adapters.dynamodb.transport.transport import Item, Operation
from adapters.leases.lease import LeaseRecord

SOON = 2.0
"""Seconds after which a lease that does not answer is done without for now."""


@frozen
class DynamoLeaseBoard:
    table: ItemTable
    keys: Keys

    async def read(self, name: str) -> LeaseRecord:
        item = await self.table.get(self.keys.work(name), strong=False)
        return LeaseRecord() if item is None else _lease(item)

    async def replace(self, name: str, new: LeaseRecord) -> LeaseRecord:
        request = {
            "TableName": self.table.name,
            "Item": self._item(name, new),
            "ConditionExpression": "attribute_not_exists(PK) OR stamp = :before",
            "ExpressionAttributeValues": {":before": number(new.stamp - 1)},
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        }
        with surroundings("the lease"):
            try:
                await self.table.transport.call(Operation.PUT_ITEM, request, deadline=SOON)
            except ConditionFailed as failed:
                if failed.item is None:
                    raise
                return _lease(failed.item)
        return new

    def _item(self, name: str, lease: LeaseRecord) -> Item:
        return {
            **self.keys.work(name).item(),
            "owner": text(lease.owner),
            "stamp": number(lease.stamp),
            "load": number(lease.load),
            "wanted_by": text(lease.wanted_by),
            "wanted_load": number(lease.wanted_load),
        }


def _lease(item: Item) -> LeaseRecord:
    return LeaseRecord(
        owner=text_of(item, "owner"),
        stamp=int_of(item, "stamp"),
        load=int_of(item, "load"),
        wanted_by=text_of(item, "wanted_by"),
        wanted_load=int_of(item, "wanted_load"),
    )
