"""A Query that shows only some of a stream's spans: what is read of it has no gap."""

import asyncio
from collections.abc import Mapping
from math import inf
from random import Random
from typing import Any

import pytest
from attrs import define, field

from adapters.dynamodb.transport.transport import Operation, Transport
from adapters.eventstore.log import Append
from tests.adapters.dynamodb.log.logs import open_log, retrying, sends_once
from tests.adapters.dynamodb.support import dynamodb_local
from tests.adapters.eventstore.log.appends import event


@define
class Hiding:
    """Leaves items with these sort keys out of what a Query of a stream or of the log shows."""

    inner: Transport
    kind: str
    hidden: set[str] = field(factory=set)
    times: float = inf
    """How often something is left out before everything is shown."""

    async def call(
        self, operation: Operation, request: Mapping[str, Any], *, deadline: float | None = None
    ) -> dict[str, Any]:
        reply = await self.inner.call(operation, request, deadline=deadline)
        if operation is Operation.QUERY:
            reply["Items"] = [item for item in reply["Items"] if not self._hides(item)]
        return reply

    async def close(self) -> None:
        await self.inner.close()

    def _hides(self, item: Mapping[str, Any]) -> bool:
        concerned = item["PK"]["S"].startswith(self.kind) and item["SK"]["N"] in self.hidden
        self.times -= concerned
        return concerned and self.times >= 0


async def versions(kind: str, hidden: set[str], data: bytes, **wanted: Any) -> list[int]:
    """Read a stream of five spans, each a batch of its own, while some items cannot be seen."""
    hiding = Hiding(retrying(sends_once()), kind)
    async with open_log(dynamodb_local.unused_table("app"), hiding) as log:
        for version in range(1, 6):
            await log.append(Append([event("a-1", version, data)]))
        hiding.hidden = hidden
        return [entry.version for entry in await log.stream("a-1", **wanted)]


INLINE, POINTED = b"{}", Random(1).randbytes(2_000)


@pytest.mark.parametrize(
    ("hidden", "upwards", "downwards"),
    [
        (set(), [1, 2, 3, 4, 5], [5, 4, 3, 2, 1]),
        ({"3"}, [1, 2], [2, 1]),
        ({"5"}, [1, 2, 3, 4], [4, 3, 2, 1]),
        ({"2", "4"}, [1], [1]),
        ({"0"}, [], []),
    ],
)
def test_what_lies_behind_a_span_that_cannot_be_seen_is_not_there_yet(
    hidden: set[str], upwards: list[int], downwards: list[int]
) -> None:
    assert asyncio.run(versions("S#", hidden, INLINE)) == upwards
    assert asyncio.run(versions("S#", hidden, INLINE, newest_first=True)) == downwards


def test_a_span_whose_events_cannot_be_seen_is_not_there_yet() -> None:
    assert asyncio.run(versions("L#", {"3"}, POINTED)) == [1, 2]
    assert asyncio.run(versions("L#", {"3"}, POINTED, newest_first=True)) == [2, 1]
    assert asyncio.run(versions("L#", {"5"}, POINTED, newest_first=True, limit=2)) == [4, 3]


def test_a_gap_outside_what_is_wanted_does_not_matter() -> None:
    assert asyncio.run(versions("S#", {"2"}, INLINE, newest_first=True, limit=2)) == [5, 4]
    assert asyncio.run(versions("S#", {"4"}, INLINE, upto=2)) == [1, 2]
