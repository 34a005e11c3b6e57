"""Updates that come at about the same time begin together; who is alone waits for nobody."""

import asyncio
from collections.abc import Coroutine
from typing import Any, cast

import pytest
from attrs import define, field

from domain.errors import NotFound
from entrypoints.grpc import gate as gates
from entrypoints.grpc.call import Call
from entrypoints.grpc.calls import Calls
from entrypoints.grpc.gate import ENOUGH, LONGEST_WAIT, QUIET_TURNS, Gate
from entrypoints.grpc.messages import signals_pb2 as messages
from entrypoints.grpc.signals import SignalStateService
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


def test_those_who_keep_coming_do_not_hold_up_the_first() -> None:
    async def scenario() -> None:
        time = Time()
        gate = Gate(time)
        await two_at_once(gate)
        first = asyncio.create_task(gate.opened())
        others = []
        for _ in range(10):
            await asyncio.sleep(0)
            assert not first.done()
            others.append(asyncio.create_task(gate.opened()))
            time.now += LONGEST_WAIT / 10
        assert await turns_until(first) < QUIET_TURNS
        await asyncio.gather(*others)

    play(scenario())


def test_who_was_left_alone_does_not_count_as_several() -> None:
    async def scenario() -> None:
        gate = Gate(Time())
        gone, stays = (asyncio.create_task(gate.opened()) for _ in range(2))
        await asyncio.sleep(0)
        gone.cancel()
        await stays
        assert await turns_until(asyncio.create_task(gate.opened())) <= 4

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


@define
class ShutGate(Gate):
    is_open: asyncio.Event = field(factory=asyncio.Event)

    async def opened(self) -> None:
        await self.is_open.wait()


def test_a_single_update_is_decided_behind_the_gate() -> None:
    async def scenario() -> None:
        gate, decided = ShutGate(), list[str]()
        missing: Any = None

        async def update(report: Any, **_: object) -> None:
            decided.append(report.signal_type)
            raise NotFound("dataset", "x")

        service = SignalStateService(cast("Any", update), *[missing] * 7)
        call = Call(missing, missing, Calls(10, gate=gate))
        request = messages.UpdateSignalStateRequest(signal_type="FRESHNESS")
        asked = asyncio.create_task(service.update_signal_state(request, call))
        await others_go_on(10)
        assert decided == []
        gate.is_open.set()
        assert not (await asked).success
        assert decided == ["FRESHNESS"]

    play(scenario())
