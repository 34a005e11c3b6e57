"""Large batches are sifted by another process, and nobody can tell from the answers."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from attrs import define, field
from structlog.contextvars import bound_contextvars, get_contextvars

from application.evidence import Rejected
from application.evidence.sampling import Sieve
from entrypoints.grpc.evidence_worker import frames, process
from entrypoints.grpc.evidence_worker.in_process import SiftHere
from entrypoints.grpc.evidence_worker.offloading import BUSY, LARGE, PAUSE, SiftApart
from entrypoints.grpc.messages.evidence_pb2 import BatchPutEvidenceRequest
from tests.entrypoints.grpc.evidence_worker.process_end import PATIENCE, ended
from tests.entrypoints.http.api import NOW
from tests.entrypoints.support.sample_evidence import PASSING, evidence, message, passed
from tests.support.event_loop_turns import others_go_on

pytestmark = pytest.mark.anyio

SOME = BatchPutEvidenceRequest(
    evidence=[
        *(message(passed(name)) for name in PASSING[:LARGE]),
        *(message(evidence(number, dataset_urn="?" if number % 3 else "")) for number in range(9)),
        *(message(evidence(number)) for number in range(9)),
    ]
)
FEW = BatchPutEvidenceRequest(evidence=SOME.evidence[: LARGE - 1])


@define
class Scene:
    """Tells of each change of the process, and keeps the time."""

    at: float = 0.0
    told: asyncio.Queue[int | None] = field(factory=asyncio.Queue)
    here: SiftHere = field(factory=lambda: SiftHere(Sieve(0.01)))
    apart: SiftApart = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.apart = SiftApart(self.here, self.told.put_nowait, PATIENCE, lambda: self.at)

    async def change(self) -> int | None:
        return await asyncio.wait_for(self.told.get(), PATIENCE)

    async def up(self) -> int:
        """The first large batch has the process started."""
        await self.apart(SOME, NOW)
        pid = await self.change()
        assert pid
        return pid

    async def is_sifted(self) -> bool:
        return await self.apart(SOME, NOW) == await self.here(SOME, NOW)


@asynccontextmanager
async def scene() -> AsyncIterator[Scene]:
    one = Scene()
    try:
        yield one
    finally:
        await one.apart.close()


async def test_the_answers_are_those_of_this_process() -> None:
    async with scene() as one:
        await one.up()
        sifted = await one.apart(SOME, NOW)
        assert sifted == await one.here(SOME, NOW)
        assert sum(isinstance(outcome, Rejected) for outcome in sifted.outcomes) == 9
        assert {found.evidence_id for found in sifted.kept} > {evidence(0)["evidence_id"]}


async def test_many_batches_are_answered_each_by_its_own() -> None:
    async with scene() as one:
        await one.up()
        batches = [
            BatchPutEvidenceRequest(evidence=[*SOME.evidence, *SOME.evidence[-number:]])
            for number in range(1, 9)
        ]
        told = await asyncio.gather(*(one.apart(batch, NOW) for batch in batches))
        assert [len(each.kept) for each in told] == [
            len((await one.here(batch, NOW)).kept) for batch in batches
        ]
        assert len({len(each.kept) for each in told}) == len(batches)


async def test_nothing_is_started_for_a_few() -> None:
    async with scene() as one:
        assert await one.apart(FEW, NOW) == await one.here(FEW, NOW)
        await asyncio.sleep(0)
        assert one.told.empty()
        pid = await one.up()
        os.kill(pid, signal.SIGSTOP)
        assert await one.apart(FEW, NOW) == await one.here(FEW, NOW)
        os.kill(pid, signal.SIGCONT)


async def test_batches_go_on_while_it_comes_up() -> None:
    async with scene() as one:
        assert await one.is_sifted()
        assert await one.is_sifted()
        assert await one.change()
        assert one.told.empty()


async def test_a_batch_outlives_the_process_that_has_it() -> None:
    async with scene() as one:
        pid = await one.up()
        os.kill(pid, signal.SIGSTOP)
        asked = [asyncio.create_task(one.is_sifted()) for _ in range(5)]
        await asyncio.sleep(0)
        os.kill(pid, signal.SIGKILL)
        assert all(await asyncio.wait_for(asyncio.gather(*asked), PATIENCE))


async def test_both_work_when_much_waits_and_all_keep_their_order() -> None:
    """Of one id the first evidence counts: nobody is passed."""
    done: list[int] = []

    async def sift(number: int, batch: BatchPutEvidenceRequest) -> None:
        await one.apart(batch, NOW)
        done.append(number)

    async with scene() as one:
        pid = await one.up()
        os.kill(pid, signal.SIGSTOP)
        batches = [*[SOME] * (BUSY + 2), FEW]
        asked = [asyncio.create_task(sift(*each)) for each in enumerate(batches)]
        asked[2].cancel()
        await others_go_on(100)
        assert one.apart._process is not None
        assert one.apart._process.waiting == BUSY
        assert done == []
        os.kill(pid, signal.SIGCONT)
        await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), PATIENCE)
        assert done == [number for number in range(BUSY + 3) if number != 2]


async def test_an_answer_that_is_not_understood_ends_the_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It may be of another version than the server."""
    async with scene() as one:
        pid = await one.up()
        monkeypatch.setattr(frames.pickle, "loads", lambda _: no_such_thing())  # type: ignore[attr-defined]
        assert await one.is_sifted()
        assert ended(pid)


def no_such_thing() -> None:
    raise AttributeError("no such thing")


async def test_an_answer_that_is_there_counts_though_the_server_stood_still(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(process, "A_MOMENT", PATIENCE)
    async with scene() as one:
        await one.up()
        one.apart._process._patience = 0.0  # type: ignore[union-attr]
        assert await one.is_sifted()
        assert one.apart._process.is_up  # type: ignore[union-attr]


async def test_one_that_is_stuck_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "A_MOMENT", 0.0)
    async with scene() as one:
        pid = await one.up()
        one.apart._process._patience = 0.0  # type: ignore[union-attr]
        os.kill(pid, signal.SIGSTOP)
        assert await one.is_sifted()
        assert ended(pid)


async def test_its_end_is_told_though_nobody_asks_it_for_anything() -> None:
    async with scene() as one:
        os.kill(await one.up(), signal.SIGKILL)
        assert await one.change() is None
        assert await one.is_sifted()
        assert one.told.empty()


async def test_what_is_told_belongs_to_no_call() -> None:
    """It is no call's doing that the process comes and goes."""
    about: list[object] = []

    def tell(pid: int | None) -> None:
        about.append(get_contextvars())
        one.told.put_nowait(pid)

    async with scene() as one:
        one.apart.on_change = tell
        with bound_contextvars(request_id="somebody's"):
            os.kill(await one.up(), signal.SIGKILL)
            assert await one.change() is None
    assert about == [{}, {}]


async def test_it_is_started_again_after_a_pause() -> None:
    async with scene() as one:
        pid = await one.up()
        os.kill(pid, signal.SIGKILL)
        assert await one.change() is None
        one.at = PAUSE / 2
        assert await one.is_sifted()
        await asyncio.sleep(0)
        assert one.told.empty()
        one.at = PAUSE
        assert await one.up() != pid
        assert await one.is_sifted()


async def test_it_ends_with_whoever_closes_it() -> None:
    async with scene() as one:
        pid = await one.up()
    assert ended(pid)


async def test_closing_ends_one_that_comes_up() -> None:
    async with scene() as one:
        await one.apart(SOME, NOW)
    assert one.told.empty()
