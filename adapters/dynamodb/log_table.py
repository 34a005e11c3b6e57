"""
The table of the event log: how it must be, and in what another one differs.

    observability-event-log   PK string, SK number, on demand, ttl on, restorable (PITR)

Nothing of the log ever expires: none of its items has the attribute `ttl`.
"""

from collections.abc import Iterator
from typing import Any

from attrs import define, frozen

from adapters.tables.catalogue import PK, SK, Billing


@frozen
class LogTable:
    name: str = "observability-event-log"
    hash: str = PK
    range: str = SK
    types: tuple[str, str] = ("S", "N")
    billing: Billing = Billing.ON_DEMAND
    ttl: str = "ttl"


@define
class TableMissing(Exception):
    table: str

    def __str__(self) -> str:
        return (
            f"the table {self.table} does not exist: "
            "create it, or let it be created with STATESTORE_CREATE_TABLES=true"
        )


@define
class TableDiffers(Exception):
    table: str
    differences: tuple[str, ...]

    def __str__(self) -> str:
        return f"the table {self.table} is not as it must be: {'; '.join(self.differences)}"


def differences(table: LogTable, described: dict[str, Any], ttl: str | None) -> Iterator[str]:
    """What is not as it must be, in words."""
    types = {a["AttributeName"]: a["AttributeType"] for a in described["AttributeDefinitions"]}
    keys = tuple((k["AttributeName"], types[k["AttributeName"]]) for k in described["KeySchema"])
    wanted = ((table.hash, table.types[0]), (table.range, table.types[1]))
    if keys != wanted:
        yield f"its key is {_in_words(keys)}, must be {_in_words(wanted)}"
    billing = described.get("BillingModeSummary", {}).get("BillingMode", Billing.PROVISIONED)
    if billing != table.billing:
        yield f"its billing is {billing}, must be {table.billing}"
    if ttl != table.ttl:
        yield f"its time to live is {f'on {ttl}' if ttl else 'off'}, must be on {table.ttl}"


def _in_words(keys: tuple[tuple[str, str], ...]) -> str:
    return " and ".join(f"{name} ({kind})" for name, kind in keys)


def description(table: LogTable) -> Any:
    names = (table.hash, table.range)
    return {
        "TableName": table.name,
        "BillingMode": str(table.billing),
        "KeySchema": [
            {"AttributeName": name, "KeyType": kind}
            for name, kind in zip(names, ("HASH", "RANGE"), strict=True)
        ],
        "AttributeDefinitions": [
            {"AttributeName": name, "AttributeType": kind}
            for name, kind in zip(names, table.types, strict=True)
        ],
        # Whoever is woken by it reads the log itself.
        "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
    }
