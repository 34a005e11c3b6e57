"""An event loop in a thread of its own, for callers that have none."""

import asyncio
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


class LoopThread:
    """Any number of threads may hand it work; none of it happens in theirs.

    Neither threads nor connections survive a fork: a child that uses its parent's is told so.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._process = os.getpid()
        self._closed = False
        self._handing_over = threading.Lock()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="statestore client", daemon=True
        )
        self._thread.start()

    def begin(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Work that was begun earlier has taken its first steps before."""
        try:
            self.must_run()
            with self._handing_over:
                self._must_be_open()
                return asyncio.run_coroutine_threadsafe(work, self._loop)
        except RuntimeError:
            work.close()
            raise

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for what the work returns. If the wait is interrupted, the work is cancelled."""
        future = self.begin(work)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def stop(self, last: Coroutine[Any, Any, None]) -> None:
        """Do one last thing, cancel what is left, and end the thread.

        Raises RuntimeError in a callback, which runs in that thread.
        """
        if threading.current_thread() is self._thread:
            last.close()
            raise RuntimeError("a callback of the client may not close the client")
        with self._handing_over:
            ended, self._closed = self._closed, True
        if ended or self._process != os.getpid():
            last.close()
            return
        try:
            asyncio.run_coroutine_threadsafe(_ended(last), self._loop).result()
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def must_run(self) -> None:
        """Raises RuntimeError where nobody can wait for it."""
        if self._process != os.getpid():
            raise RuntimeError("the client was made before a fork: make one in each process")
        if threading.current_thread() is self._thread:
            raise RuntimeError("a callback of the client may not wait for the client")
        self._must_be_open()

    def _must_be_open(self) -> None:
        if self._closed:
            raise RuntimeError("the client is closed")


async def _ended(last: Coroutine[Any, Any, None]) -> None:
    try:
        await last
    finally:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        if others:
            await asyncio.wait(others)
        await asyncio.get_running_loop().shutdown_asyncgens()
        await asyncio.get_running_loop().shutdown_default_executor()
