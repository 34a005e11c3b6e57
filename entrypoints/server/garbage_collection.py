"""Keeping the garbage collector out of the way, and memory from staying taken."""

import asyncio
import ctypes
import gc
from collections.abc import Callable
from pathlib import Path
from resource import getpagesize

LOOKED_AT_EVERY, GIVEN_BACK_EVERY = 5.0, 60.0
"""Seconds."""
GROWN = 1.2
"""If so much more is taken than after it was last given back, it is given back at once."""
_PAGES = Path("/proc/self/statm")


def load_without_looking() -> None:
    """Collect seldom from now on: modules are loaded, and they stay.

    Some 340 collections took an eighth of the time until a server was put together.
    """
    gc.set_threshold(50_000)


def let_what_is_loaded_be() -> None:
    """Look no more at what was loaded by now: it lives as long as the process.

    A full collection looks at every object there is. With all modules among them it stopped the
    event loop for 160 ms, now and then, in the middle of requests. Cycles are rare here, so full
    collections may be rare, too. Those in between are short: one after 25,000 new objects takes 10
    to 16 ms, one after 100,000 took up to 38. With 64 updates on their way and their facts being
    folded, some 10,000 more objects may be there for a moment: a threshold below that finds
    nothing to collect, and took 17 to 28 µs of an update instead of 2 to 4.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 2, 400)


async def give_back_again_and_again() -> None:
    """Give free memory back to the system until cancelled.

    The C library keeps what lies below something that is in use. After a moment in which requests
    had piled up, 175 MB of 320 were free and still taken. Giving them back takes 0.3 to 3 ms of
    the processor, so it is done when there is a reason, or has not been done for long.
    """
    give_back, least, looks = giving_back(), taken(), 0
    while give_back is not None:
        await asyncio.sleep(LOOKED_AT_EVERY)
        looks += 1
        if taken() > least * GROWN or looks * LOOKED_AT_EVERY >= GIVEN_BACK_EVERY:
            await asyncio.to_thread(give_back, 0)
            least, looks = taken(), 0


def taken() -> int:
    """Bytes that this process holds, as Linux tells; nothing elsewhere."""
    try:
        return int(_PAGES.read_text().split()[1]) * getpagesize()
    except OSError:
        return 0


def giving_back() -> Callable[[int], int] | None:
    """What gives free memory back, except for so many bytes. Only glibc needs and has it."""
    trim: Callable[[int], int] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return trim
