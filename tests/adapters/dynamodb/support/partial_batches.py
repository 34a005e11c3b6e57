"""Batches of which a part is not processed."""

from collections.abc import Mapping
from random import Random
from typing import Any

from adapters.dynamodb.retry.partial_batches import LEFT
from adapters.dynamodb.transport.transport import Operation

Items = dict[str, Any]


def kept_back(request: Mapping[str, Any], dice: Random) -> tuple[dict[str, Any], Items]:
    """A request for some of the items, at least one, and the others."""
    every = [
        (table, one) for table, wanted in request["RequestItems"].items() for one in _of(wanted)
    ]
    dice.shuffle(every)
    sent = dice.randint(1, len(every))
    taken, back = (_grouped(request, some) for some in (every[:sent], every[sent:]))
    return {**request, "RequestItems": taken}, back


def told_back(operation: Operation, reply: Mapping[str, Any], back: Items) -> dict[str, Any]:
    """The reply, as if the others had been sent too."""
    assert not reply.get(LEFT[operation]), "DynamoDB Local left some itself: they would be lost"
    return {**reply, LEFT[operation]: back}


def _of(wanted: Any) -> list[Any]:
    return list(wanted["Keys"] if isinstance(wanted, Mapping) else wanted)


def _grouped(request: Mapping[str, Any], some: list[tuple[str, Any]]) -> Items:
    grouped: dict[str, list[Any]] = {}
    for table, one in some:
        grouped.setdefault(table, []).append(one)
    wanted = request["RequestItems"]
    return {
        table: {**wanted[table], "Keys": ones} if isinstance(wanted[table], Mapping) else ones
        for table, ones in grouped.items()
    }
