"""The process that sifts for a server, as the server sees it."""

import asyncio
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from contextvars import Context
from datetime import datetime

import structlog
from attrs import define, field

from application.evidence.sampling import Sifted
from entrypoints.grpc.evidence_worker.frames import framed, received

_log = structlog.get_logger()

PATIENCE = 2.0
"""Seconds. A batch of 500 takes milliseconds, the largest about half a second: who answers nobody
for so long is stuck, or was stopped."""

A_MOMENT = 0.5
"""Seconds more: where the server itself stood still, the answer is there and was not read yet."""

COMING_UP = 10.0
"""Seconds until it must be able to answer: nobody waits for that."""


class Ended(Exception):
    """The process is no more: what it was asked for is to be done otherwise."""


_Answer = asyncio.Future[Sifted | None]
"""Nothing, if the process has ended."""


@define(eq=False)
class SiftingProcess:
    _process: asyncio.subprocess.Process
    _patience: float
    _asked: deque[_Answer] = field(factory=deque, init=False)
    _answered: int = field(default=0, init=False)
    _listening: asyncio.Task[None] | None = field(default=None, init=False)
    _answers: bool = field(default=False, init=False)

    @classmethod
    async def started(cls, pass_rate: float, patience: float = PATIENCE) -> "SiftingProcess":
        """Returns when it can be asked. Raises Ended if it does not come up."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "entrypoints.grpc.evidence_worker.worker",
            str(pass_rate),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            # Ctrl-C is for the server, which closes the pipe when it has answered everybody.
            start_new_session=True,
        )
        started = cls(process, patience)
        try:
            await started._first()
        except BaseException:
            await started.close()
            raise
        return started

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_up(self) -> bool:
        return self._answers

    @property
    def waiting(self) -> int:
        """Batches that it has not answered yet."""
        return len(self._asked)

    def when_ended(self, tell: Callable[[], None]) -> None:
        """Once it is no more, though nobody asks it for anything."""
        assert self._listening
        # Not in the context of whichever call had it started.
        self._listening.add_done_callback(lambda _: tell(), context=Context())

    async def sifted(self, sent: bytes, at: datetime) -> Sifted:
        """Raises Ended if it ends before it has answered."""
        answer = self._asked_for(framed((sent, at)))
        while not answer.done():
            before = self._answered
            for patience in (self._patience, A_MOMENT):
                if self._answered == before:
                    await asyncio.wait([answer], timeout=patience)
            if self._answered == before:
                self._kill()
        if (sifted := answer.result()) is None:
            raise Ended
        return sifted

    async def close(self) -> None:
        """It ends when there is nothing more to read, or is made to."""
        assert self._process.stdin
        self._process.stdin.close()
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._patience):
                    await self._process.wait()
        finally:
            self._kill()
        await self._process.wait()
        if self._listening is not None:
            await self._listening

    async def _first(self) -> None:
        assert self._process.stdout
        try:
            async with asyncio.timeout(COMING_UP):
                await received(self._process.stdout)
        except Exception:  # noqa: BLE001  # whatever it says, it is not what is expected
            raise Ended from None
        self._answers = True
        self._listening = asyncio.create_task(self._listen(self._process.stdout))

    def _asked_for(self, frame: bytes) -> _Answer:
        assert self._process.stdin
        if not self.is_up or self._process.stdin.is_closing():
            raise Ended
        # Whoever calls waits for the answer: no more is held here than there are calls.
        self._process.stdin.write(frame)
        answer: _Answer = asyncio.get_running_loop().create_future()
        self._asked.append(answer)
        return answer

    async def _listen(self, answers: asyncio.StreamReader) -> None:
        """Answers come in the order in which they were asked for."""
        try:
            while True:
                answer = await received(answers)
                self._answered += 1
                _tell(self._asked.popleft(), answer)
        except EOFError:
            pass
        except Exception as error:  # noqa: BLE001  # it may be of another version than the server
            _log.error("task_failed", after="evidence was sifted", exc_info=error)
        finally:
            self._answers = False
            self._kill()
            while self._asked:
                _tell(self._asked.popleft(), None)
            await self._gone()

    async def _gone(self) -> None:
        """Nothing is left of it, not even its pipes."""
        assert self._process.stdin
        self._process.stdin.close()
        await self._process.wait()

    def _kill(self) -> None:
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()


def _tell(asking: _Answer, answer: Sifted | None) -> None:
    """Who was cancelled does not wait any more."""
    if not asking.done():
        asking.set_result(answer)
