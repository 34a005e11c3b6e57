"""Events sent with blocking calls, ten in each: as many as SNS and EventBridge take."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from attrs import define, field
from botocore.config import Config

from application.delivery.event import Event
from application.delivery.sink import Answer

BATCH = 10
AT_ONCE = 4

HURRIED = Config(connect_timeout=3, read_timeout=5, retries={"total_max_attempts": 1})
"""Who sends again later need not be patient, and a stop must not wait for a call."""


@define
class Tens:
    """Calls in threads of its own, a few at a time."""

    call: Callable[[Sequence[Event]], Sequence[Answer]]
    _threads: ThreadPoolExecutor = field(
        factory=lambda: ThreadPoolExecutor(AT_ONCE, thread_name_prefix="events")
    )

    async def send(self, events: Sequence[Event]) -> Sequence[Answer]:
        """What the call says of each event, in turn."""
        loop = asyncio.get_running_loop()
        calls = [
            loop.run_in_executor(self._threads, self.call, events[start : start + BATCH])
            for start in range(0, len(events), BATCH)
        ]
        return [answer for answers in await asyncio.gather(*calls) for answer in answers]

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
