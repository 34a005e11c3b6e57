"""The garbage collector, while modules load."""

import gc
from collections.abc import Iterator

import pytest

from entrypoints.memory import load_without_looking


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
