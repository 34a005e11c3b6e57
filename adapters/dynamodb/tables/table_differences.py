"""
In what a table that is there differs from the one that the catalogue declares, in words.

With another key, other indexes, another way of paying or another time to live it is not our table
and is refused. What only makes it less safe or harder to find (no copies, no stream, no tags) is
told by those who check, and keeps nobody from working. How many units are provisioned is not
compared: automatic scaling moves them. How a rebuilt table is paid for is not, either.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import define, frozen

from adapters.dynamodb.tables.table_description import attribute_types
from adapters.row_layouts.catalogue import Billing, Table


@frozen
class Found:
    """What DynamoDB tells of a table."""

    described: Mapping[str, Any]
    ttl: str | None = None
    """The attribute, if time to live is on."""
    restorable: bool | None = None
    """Nothing where DynamoDB does not tell, as DynamoDB Local does not."""
    tags: Mapping[str, str] | None = None


@define
class TableMissing(Exception):
    table: str

    def __str__(self) -> str:
        return (
            f"the table {self.table} does not exist: create it with `statestore tables create`, "
            "or let it be created with STATESTORE_CREATE_TABLES=true"
        )


@define
class TableDiffers(Exception):
    table: str
    differences: tuple[str, ...]

    def __str__(self) -> str:
        return f"the table {self.table} is not as it must be: {'; '.join(self.differences)}"


def every_difference(table: Table, found: Found) -> Iterator[str]:
    yield from differences(table, found)
    yield from shortcomings(table, found)


def differences(table: Table, found: Found) -> Iterator[str]:
    """What makes it another table than ours."""
    yield from _of_shape(table, found.described)
    if found.ttl != table.ttl:
        yield f"its time to live is {_on(found.ttl)}, must be {_on(table.ttl)}"


def is_ours(table: Table, described: Mapping[str, Any]) -> bool:
    """Whether what cannot be switched on or off is as it must be."""
    return not any(_of_shape(table, described))


def shortcomings(table: Table, found: Found) -> Iterator[str]:
    """What makes it less than it should be."""
    if found.restorable is not None and found.restorable != table.restorable:
        yield f"its point-in-time recovery is {_switch(found.restorable)}, {_must(table)}"
    stream = stream_of(found.described)
    if stream != table.stream:
        yield f"its stream is {stream or 'off'}, must be {table.stream or 'off'}"
    for key, value in table.tags.items() if found.tags is not None else ():
        has = (found.tags or {}).get(key)
        if has != value:
            yield f"its tag {key} is {has or 'missing'}, must be {value}"


def stream_of(described: Mapping[str, Any]) -> str | None:
    stream = described.get("StreamSpecification", {})
    return stream.get("StreamViewType") if stream.get("StreamEnabled") else None


def billing_of(described: Mapping[str, Any]) -> str:
    return str(described.get("BillingModeSummary", {}).get("BillingMode", Billing.PROVISIONED))


def _of_shape(table: Table, described: Mapping[str, Any]) -> Iterator[str]:
    has = _keys(described["KeySchema"], _types(described))
    wants = _typed(table.keys, attribute_types(table))
    if has != wants:
        yield f"its key is {has}, must be {wants}"
    yield from _of_indexes(table, described)
    billing = billing_of(described)
    if billing != table.billing and not table.rebuilt:
        yield f"its billing is {billing}, must be {table.billing}"


def _of_indexes(table: Table, described: Mapping[str, Any]) -> Iterator[str]:
    types = attribute_types(table)
    wanted = {
        index.name: f"{_typed((index.hash, index.range), types)}, projecting {index.projection}"
        for index in table.indexes
    }
    found = {
        index["IndexName"]: f"{_keys(index['KeySchema'], _types(described))}, "
        f"projecting {index['Projection']['ProjectionType']}"
        for index in described.get("GlobalSecondaryIndexes", ())
    }
    for name in wanted | found:
        if name not in found:
            yield f"its index {name} is missing, must be on {wanted[name]}"
        elif name not in wanted:
            yield f"it has an index {name}, must have none of that name"
        elif found[name] != wanted[name]:
            yield f"its index {name} is on {found[name]}, must be on {wanted[name]}"


def _types(described: Mapping[str, Any]) -> Mapping[str, str]:
    return {a["AttributeName"]: a["AttributeType"] for a in described["AttributeDefinitions"]}


def _keys(schema: Sequence[Mapping[str, str]], types: Mapping[str, str]) -> str:
    return _typed([key["AttributeName"] for key in schema], types)


def _typed(names: Sequence[str], types: Mapping[str, str]) -> str:
    return " and ".join(f"{name} ({types[name]})" for name in names)


def _on(ttl: str | None) -> str:
    return f"on {ttl}" if ttl else "off"


def _must(table: Table) -> str:
    return f"must be {_switch(table.restorable)}"


def _switch(on: bool) -> str:
    return "on" if on else "off"
