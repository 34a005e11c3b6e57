"""
What goes wrong on the way to DynamoDB and back, on purpose.

    FaultyTransport    decorates what sends once, under Retrying
    └── HttpTransport

DynamoDB Local shows hardly any of this by itself. Faults are drawn from a seed, or named in
advance: `faulty.coming.append(Fault.REPLY_LOST)`.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from enum import StrEnum, auto
from random import Random
from typing import Any, TypeVar
from zlib import crc32

import orjson
from attrs import define, field

from adapters.dynamodb.transport.errors import (
    Away,
    Canceled,
    DynamoError,
    Expired,
    OutcomeUnknown,
    Reason,
    Throttled,
)
from adapters.dynamodb.transport.replies import answer
from adapters.dynamodb.transport.transport import Operation, Transport
from tests.adapters.dynamodb.support.late_transactions import LateOnes
from tests.adapters.dynamodb.support.partial_batches import kept_back, told_back
from tests.adapters.dynamodb.support.read_committed_queries import HalfShown

Effect = TypeVar("Effect")


class Fault(StrEnum):
    THROTTLE = auto()
    """Refused, with a reason."""
    THROTTLED_ITEM = auto()
    """A transaction is canceled because one of its items is throttled."""
    CONFLICT = auto()
    """Another transaction was there first."""
    INTERNAL_BEFORE = auto()
    """InternalServerError, and nothing was applied."""
    INTERNAL_AFTER = auto()
    """InternalServerError, and it was applied."""
    RESET_BEFORE = auto()
    """The connection was reset before anything was sent."""
    REPLY_LOST = auto()
    """Applied, and no one was told."""
    ARRIVES_LATE = auto()
    """No one was told, and a transaction arrives some calls later, when others have gone on."""
    SLOW_REPLY = auto()
    """The reply takes its time, perhaps more than the caller has."""
    PART_OF_BATCH = auto()
    """Some of a batch's items are left unprocessed."""
    PART_OF_TRANSACTION = auto()
    """A Query shows some items of a transaction whose caller has no answer yet, not all."""
    CORRUPTED = auto()
    """The reply is damaged; its checksum tells."""
    EXPIRED = auto()
    """The credentials are no longer accepted."""


TRANSACTIONS = frozenset({Operation.TRANSACT_WRITE_ITEMS, Operation.TRANSACT_GET_ITEMS})
BATCHES = frozenset({Operation.BATCH_GET_ITEM, Operation.BATCH_WRITE_ITEM})
ONLY_FOR: Mapping[Fault, frozenset[Operation]] = {
    Fault.THROTTLED_ITEM: TRANSACTIONS,
    Fault.CONFLICT: frozenset(Operation) - BATCHES - {Operation.GET_ITEM, Operation.QUERY},
    Fault.ARRIVES_LATE: frozenset({Operation.TRANSACT_WRITE_ITEMS}),
    Fault.PART_OF_BATCH: BATCHES,
    Fault.PART_OF_TRANSACTION: frozenset({Operation.QUERY}),
}

EVERY_KIND: Mapping[Fault, float] = dict.fromkeys(Fault, 0.04)
"""Rates at which most calls get through, and no fault is rare."""

LATEST = 30
"""Calls that may overtake a late one."""


@define
class FaultyTransport:
    """Each call meets a fault with its rate, at most one; `fired` counts those that took effect.

    The sleep of slow replies can be replaced. Which calls meet which faults follows from the seed
    and the order of the calls.
    """

    inner: Transport
    seed: int
    rates: Mapping[Fault, float] = field(factory=dict)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    slowest: float = 0.02
    coming: list[Fault] = field(factory=list)
    """What the next calls meet, whatever the rates say."""
    fired: Counter[Fault] = field(factory=Counter)
    calls: int = field(default=0, init=False)
    _dice: Random = field(init=False)
    _shown: HalfShown = field(factory=HalfShown, init=False)
    _late: LateOnes = field(factory=LateOnes, init=False)

    def __attrs_post_init__(self) -> None:
        self._dice = Random(self.seed)

    async def call(
        self, operation: Operation, request: Mapping[str, Any], *, deadline: float | None = None
    ) -> dict[str, Any]:
        self.calls += 1
        await self._late.arrive(self.inner)
        fault = self._fault(operation)
        error = self._instead(fault, operation, request)
        if error is not None:
            raise self._noted(fault, error)
        self._shown.begins(operation, request)
        try:
            reply = await self._reply(fault, operation, request, deadline)
        except Canceled as canceled:
            self._shown.canceled(canceled)
            raise
        reply = await self._after(fault, reply, deadline)
        self._shown.answered(operation, request, reply)
        return reply

    async def close(self) -> None:
        await self.inner.close()

    def _fault(self, operation: Operation) -> Fault | None:
        if self.coming:
            return self.coming.pop(0)
        roll = self._dice.random()
        for fault, rate in self.rates.items():
            if operation in ONLY_FOR.get(fault, Operation):
                roll -= rate
            if roll < 0:
                return fault
        return None

    def _noted(self, fault: Fault | None, effect: Effect) -> Effect:
        assert fault is not None
        self.fired[fault] += 1
        return effect

    def _instead(
        self, fault: Fault | None, operation: Operation, request: Mapping[str, Any]
    ) -> DynamoError | None:
        """What happens instead of sending."""
        match fault:
            case Fault.THROTTLE:
                reason = self._dice.choice(("KeyRangeThroughputExceeded", "AccountLimitExceeded"))
                return Throttled("ThrottlingException", (f"TableWrite{reason}",))
            case Fault.THROTTLED_ITEM:
                return self._canceled("ThrottlingError", request)
            case Fault.CONFLICT if operation in TRANSACTIONS:
                return self._canceled("TransactionConflict", request)
            case Fault.CONFLICT:
                return Throttled("TransactionConflictException")
            case Fault.INTERNAL_BEFORE:
                return OutcomeUnknown("not applied (InternalServerError)")
            case Fault.ARRIVES_LATE:
                # When it arrives, nothing but its token connects its items.
                self._shown.begins(operation, request)
                self._late.add(request, calls=self._dice.randrange(1, LATEST))
                return OutcomeUnknown("no reply, and it is still on its way")
            case Fault.RESET_BEFORE:
                return Away("the connection was reset before sending")
            case Fault.EXPIRED:
                return Expired("the token has expired (ExpiredTokenException)")
        return None

    def _canceled(self, code: str, request: Mapping[str, Any]) -> Canceled:
        codes = ["None"] * len(request["TransactItems"])
        codes[self._dice.randrange(len(codes))] = code
        return Canceled(tuple(map(Reason, codes)))

    async def _reply(
        self,
        fault: Fault | None,
        operation: Operation,
        request: Mapping[str, Any],
        deadline: float | None,
    ) -> dict[str, Any]:
        match fault:
            case Fault.PART_OF_BATCH:
                return await self._part_of_batch(operation, request, deadline)
            case Fault.PART_OF_TRANSACTION:
                return await self._part_of_transaction(operation, request, deadline)
        return await self.inner.call(operation, request, deadline=deadline)

    async def _part_of_batch(
        self, operation: Operation, request: Mapping[str, Any], deadline: float | None
    ) -> dict[str, Any]:
        part, back = kept_back(request, self._dice)
        if not back:
            return await self.inner.call(operation, request, deadline=deadline)
        reply = await self.inner.call(operation, part, deadline=deadline)
        return self._noted(Fault.PART_OF_BATCH, told_back(operation, reply, back))

    async def _part_of_transaction(
        self, operation: Operation, request: Mapping[str, Any], deadline: float | None
    ) -> dict[str, Any]:
        began = self._shown.ticks
        if request.get("Limit") != 1:
            # It reads one item after the other; others may write them meanwhile.
            await self.sleep(self._dice.uniform(0.0, self.slowest))
        reply = await self.inner.call(operation, request, deadline=deadline)
        shown = self._shown.part_of(reply, began, self._dice)
        if shown == reply:
            return reply
        self.fired[Fault.PART_OF_TRANSACTION] += 1
        if shown["Items"] or "LastEvaluatedKey" not in reply:
            return shown
        # DynamoDB does not count what it does not see: it would have gone on.
        further = {**request, "ExclusiveStartKey": reply["LastEvaluatedKey"]}
        return await self.inner.call(operation, further, deadline=deadline)

    async def _after(
        self, fault: Fault | None, reply: dict[str, Any], deadline: float | None
    ) -> dict[str, Any]:
        match fault:
            case Fault.INTERNAL_AFTER:
                raise self._noted(fault, OutcomeUnknown("applied (InternalServerError)"))
            case Fault.REPLY_LOST:
                raise self._noted(fault, OutcomeUnknown("applied, and the reply was lost"))
            case Fault.CORRUPTED:
                return self._corrupted(self._noted(fault, reply))
            case Fault.SLOW_REPLY:
                return await self._slow(self._noted(fault, reply), deadline)
        return reply

    def _corrupted(self, reply: dict[str, Any]) -> dict[str, Any]:
        body = bytearray(orjson.dumps(reply))
        checksum = str(crc32(body))
        body[self._dice.randrange(len(body))] ^= 1 << self._dice.randrange(8)
        return answer(200, bytes(body), checksum)

    async def _slow(self, reply: dict[str, Any], deadline: float | None) -> dict[str, Any]:
        takes = self._dice.uniform(0.0, self.slowest)
        if deadline is not None and takes >= deadline:
            await self.sleep(deadline)
            raise OutcomeUnknown(f"no reply within {deadline:g} s")
        await self.sleep(takes)
        return reply
