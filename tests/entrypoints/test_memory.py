"""The collector is quiet while modules load; memory that is free is not kept from others."""

import asyncio
import gc
import threading
from collections.abc import Iterator
from pathlib import Path
from resource import getpagesize

import pytest

from entrypoints import memory
from entrypoints.memory import giving_back, load_without_looking

EACH, MANY = 4_000, 25_000


@pytest.fixture
def usual_collector() -> Iterator[None]:
    usual = gc.get_threshold()
    yield
    gc.set_threshold(*usual)


@pytest.mark.usefixtures("usual_collector")
def test_what_is_loaded_is_not_looked_at_again_and_again() -> None:
    load_without_looking()
    gc.collect()
    before = gc.get_stats()[0]["collections"]
    loaded: list[list[int]] = [[] for _ in range(40_000)]
    assert (len(loaded), gc.get_stats()[0]["collections"]) == (40_000, before)


def taken() -> int:
    """Bytes that this process holds, as Linux tells."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * getpagesize()


@pytest.mark.skipif(giving_back() is None, reason="only glibc keeps free memory, and has the call")
def test_what_lies_below_something_in_use_is_given_back() -> None:
    give_back = giving_back()
    assert give_back is not None
    everything = [bytearray(EACH) for _ in range(MANY)]
    in_use = everything[:: MANY // 100]
    del everything
    before = taken()
    give_back(0)
    assert before - taken() > EACH * MANY / 2
    assert len(in_use) == 100


def test_it_is_given_back_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    given, thrice = list[int](), threading.Event()

    def give_back(spared: int) -> None:
        given.append(spared)
        if len(given) == 3:
            thrice.set()

    monkeypatch.setattr(memory, "GIVEN_BACK_EVERY", 0)
    monkeypatch.setattr(memory, "giving_back", lambda: give_back)

    async def story() -> None:
        giving = asyncio.create_task(memory.give_back_again_and_again())
        assert await asyncio.to_thread(thrice.wait, 10)
        giving.cancel()

    asyncio.run(story())
    assert set(given) == {0}
