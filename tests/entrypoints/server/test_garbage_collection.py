"""The collector is quiet while modules load; memory that is free is not kept from others."""

import asyncio
import gc
from collections.abc import Iterator
from contextlib import suppress

import pytest

from entrypoints.server import garbage_collection
from entrypoints.server.garbage_collection import giving_back, load_without_looking, taken

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


@pytest.mark.parametrize(("every", "each_time"), [(0.0, 100), (1e9, 125)])
def test_it_is_given_back_again_and_again_or_when_more_is_taken(
    every: float, each_time: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At last what is taken does not grow any more: then only time is a reason."""
    held, given, looks = [100], list[int](), 0

    def give_back(spared: int) -> None:
        given.append(spared)

    async def look(_: float) -> None:
        nonlocal looks
        held[0] = held[0] * each_time // 100 if looks < 3 else held[0]
        looks += 1
        if looks > 5:
            raise asyncio.CancelledError

    monkeypatch.setattr(garbage_collection, "GIVEN_BACK_EVERY", every)
    monkeypatch.setattr(garbage_collection, "giving_back", lambda: give_back)
    monkeypatch.setattr(garbage_collection, "taken", lambda: held[0])
    monkeypatch.setattr(asyncio, "sleep", look)

    async def story() -> None:
        with suppress(asyncio.CancelledError):
            await garbage_collection.give_back_again_and_again()

    asyncio.run(story())
    assert given == ([0] * 5 if each_time == 100 else [0] * 3)
