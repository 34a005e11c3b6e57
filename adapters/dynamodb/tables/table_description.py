"""A table of the catalogue as DynamoDB wants to be told about it."""

from typing import Any

from adapters.row_layouts.catalogue import Billing, Index, Table


def description(table: Table) -> Any:
    """What creates the table, with its indexes, its stream and its tags."""
    return {
        "TableName": table.name,
        "BillingMode": str(table.billing),
        "KeySchema": key_schema(*table.keys),
        "AttributeDefinitions": [
            {"AttributeName": name, "AttributeType": kind}
            for name, kind in attribute_types(table).items()
        ],
        "Tags": tag_list(table),
        **_throughput(table),
        **_indexes(table),
        **({"StreamSpecification": stream_specification(table)} if table.stream else {}),
    }


def attribute_types(table: Table) -> dict[str, str]:
    """The attributes that the table and its indexes are ordered by, each with its type."""
    indexed = (name for index in table.indexes for name in (index.hash, index.range))
    types = dict.fromkeys((*table.keys, *indexed), "S")
    return types if table.range is None else {**types, table.range: table.range_type}


def key_schema(*names: str) -> list[dict[str, str]]:
    kinds = ("HASH", "RANGE")
    return [
        {"AttributeName": name, "KeyType": kind} for name, kind in zip(names, kinds, strict=False)
    ]


def stream_specification(table: Table) -> Any:
    return {"StreamEnabled": True, "StreamViewType": str(table.stream)}


def tag_list(table: Table) -> Any:
    return [{"Key": key, "Value": value} for key, value in table.tags.items()]


def _indexes(table: Table) -> dict[str, Any]:
    if not table.indexes:
        return {}
    return {"GlobalSecondaryIndexes": [_index(table, index) for index in table.indexes]}


def _index(table: Table, index: Index) -> dict[str, Any]:
    return {
        "IndexName": index.name,
        "KeySchema": key_schema(index.hash, index.range),
        "Projection": {"ProjectionType": index.projection},
        **_throughput(table),
    }


def _throughput(table: Table) -> dict[str, Any]:
    if table.billing is Billing.ON_DEMAND:
        return {}
    units = table.throughput
    return {
        "ProvisionedThroughput": {
            "ReadCapacityUnits": units.read,
            "WriteCapacityUnits": units.write,
        }
    }
