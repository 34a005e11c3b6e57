"""Writes that come at about the same time begin together; who is alone waits for nobody."""

import asyncio
from collections.abc import Coroutine
from typing import Any, cast

import pytest
from attrs import define, field
from google.protobuf.wrappers_pb2 import StringValue

from entrypoints.grpc import gate as gates
from entrypoints.grpc.calls import Calls
from entrypoints.grpc.gate import ENOUGH, LONGEST_WAIT, QUIET_TURNS, Gate
from entrypoints.grpc.methods import SMALL, Taken, Unary
from entrypoints.grpc.surroundings import Surroundings
from tests.turns import others_go_on

PATIENCE = 30.0
"""Seconds; nothing here takes nearly as long unless it waits for good."""


@define
class Time:
    now: float = 100.0

    def __call__(self) -> float:
        return self.now


def play(scenario: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(scenario, PATIENCE))


async def turns_until(task: asyncio.Task[None]) -> int:
    count = 0
    while not task.done():
        await asyncio.sleep(0)
        count += 1
    return count


async def two_at_once(gate: Gate) -> None:
    await asyncio.gather(gate.opened(), gate.opened())


def test_who_comes_alone_again_and_again_waits_for_a_turn_or_two() -> None:
    async def scenario() -> None:
        gate = Gate(Time())
        for _ in range(3):
            assert await turns_until(asyncio.create_task(gate.opened())) <= 4

    play(scenario())


def test_where_others_came_before_the_next_waits_until_nobody_else_comes() -> None:
    async def scenario() -> None:
        gate = Gate(Time())
        await two_at_once(gate)
        first = asyncio.create_task(gate.opened())
        for _ in range(QUIET_TURNS - 2):
            await asyncio.sleep(0)
        assert not first.done()
        second = asyncio.create_task(gate.opened())
        assert await turns_until(first) >= QUIET_TURNS
        await second

    play(scenario())


def test_all_who_wait_go_on_in_the_same_turn_in_their_order() -> None:
    async def scenario() -> None:
        gate, went = Gate(Time()), list[int]()

        async def go(number: int) -> None:
            await gate.opened()
            went.append(number)

        await two_at_once(gate)
        tasks = []
        for number in range(5):
            tasks.append(asyncio.create_task(go(number)))
            await asyncio.sleep(0)
        assert went == []
        await turns_until(tasks[0])
        assert went == [0, 1, 2, 3, 4]
        await asyncio.gather(*tasks)

    play(scenario())


def test_who_was_alone_at_last_is_not_kept_waiting_the_next_time() -> None:
    async def scenario() -> None:
        gate = Gate(Time())
        await two_at_once(gate)
        assert await turns_until(asyncio.create_task(gate.opened())) >= QUIET_TURNS
        assert await turns_until(asyncio.create_task(gate.opened())) <= 4

    play(scenario())


def test_enough_wait_for_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        gate = Gate(Time())
        await two_at_once(gate)
        monkeypatch.setattr(gates, "QUIET_TURNS", 10**9)
        few = [asyncio.create_task(gate.opened()) for _ in range(ENOUGH - 1)]
        await others_go_on(QUIET_TURNS * 10)
        assert not any(task.done() for task in few)
        await gate.opened()
        await asyncio.gather(*few)

    play(scenario())


def test_nobody_waits_for_longer_than_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        time = Time()
        gate = Gate(time)
        await two_at_once(gate)
        monkeypatch.setattr(gates, "QUIET_TURNS", 10**9)
        waiting = asyncio.create_task(gate.opened())
        await others_go_on(QUIET_TURNS * 10)
        assert not waiting.done()
        time.now += LONGEST_WAIT
        await waiting

    play(scenario())


def test_who_goes_away_holds_nobody_up() -> None:
    async def scenario() -> None:
        gate = Gate(Time())
        await two_at_once(gate)
        gone, stays = (asyncio.create_task(gate.opened()) for _ in range(2))
        await asyncio.sleep(0)
        gone.cancel()
        await stays
        assert gone.cancelled()

    play(scenario())


class Context:
    """As much of gRPC's as a method needs."""

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return ()

    def set_trailing_metadata(self, told: object) -> None: ...

    def time_remaining(self) -> None: ...


@define
class ShutGate(Gate):
    asked: int = 0

    async def opened(self) -> None:
        self.asked += 1
        await asyncio.Event().wait()


@define
class Written:
    """A method, and whom it was called for."""

    writes: bool
    calls: Calls = field(factory=lambda: Calls(10, gate=ShutGate()))
    answered: list[int] = field(factory=list)

    def call(self, size: int) -> asyncio.Task[bytes]:
        around = Surroundings(self.calls, None, cast("Any", None), lambda: "request")
        method = Unary("Write", Taken(StringValue), self._answer, self.writes, around)
        sent = StringValue(value="x" * (size - 3)).SerializeToString()
        assert len(sent) == size
        return asyncio.create_task(method.handle(sent, cast("Any", Context())))

    async def _answer(self, request: Any, call: object) -> StringValue:
        self.answered.append(request.ByteSize())
        return StringValue()

    @property
    def asked(self) -> int:
        return cast("ShutGate", self.calls.gate).asked


def test_small_writes_wait_at_the_gate_and_nothing_else_does() -> None:
    async def scenario() -> None:
        small, large, read = Written(True), Written(True), Written(False)
        waits = small.call(SMALL)
        await asyncio.gather(large.call(SMALL + 1), read.call(SMALL))
        assert [one.asked for one in (small, large, read)] == [1, 0, 0]
        assert [one.answered for one in (small, large, read)] == [[], [SMALL + 1], [SMALL]]
        # Who goes away there has begun nothing.
        waits.cancel()
        await asyncio.wait([waits])
        assert small.answered == []
        assert not small.calls.on_their_way
        assert not small.calls.writing

    play(scenario())
