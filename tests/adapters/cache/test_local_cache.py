"""The cache of a process (S0-221)."""

from hypothesis import example, given
from hypothesis import strategies as st

import adapters.cache.local_cache as module
from adapters.cache.entry import Entry
from adapters.cache.local_cache import LocalCache
from tests.adapters.cache.test_circuit_breaker import Time
from tests.adapters.cache.test_contract import entry


def test_it_is_fresh_for_a_moment_and_then_a_copy() -> None:
    cache = LocalCache(0.1, now=(time := Time()))
    cache.put("a", entry(3))
    time.at = 0.099
    assert cache.get("a") == entry(3)
    time.at = 0.1
    assert cache.get("a") is None
    copy = cache.copy("a")
    assert copy is not None
    assert (copy.entry, copy.fresh) == (entry(3), False)


def test_the_least_asked_for_goes_first() -> None:
    cache = LocalCache(1, most=2, now=Time())
    cache.put("a", entry(1))
    cache.put("b", entry(1))
    cache.get("a")
    cache.put("c", entry(1))
    assert [name for name in "abc" if cache.get(name)] == ["a", "c"]
    assert len(cache) == 2


Steps = st.lists(
    st.tuples(st.sampled_from(["put", "drop"]), st.sampled_from("abcd"), st.integers(1, 9)),
    max_size=30,
)


@example(
    [("drop", "a", 2), ("drop", "b", 1), ("drop", "c", 1), ("drop", "a", 1), ("put", "a", 1)], 0
)
@given(Steps, st.integers(0, 9))
def test_nothing_is_shown_that_is_older_than_a_drop_or_than_asked(
    steps: list[tuple[str, str, int]], least: int
) -> None:
    """However few drops are remembered."""
    most, module.MOST_REMEMBERED = module.MOST_REMEMBERED, 2
    try:
        cache, dropped = LocalCache(1, now=Time()), dict.fromkeys("abcd", 0)
        for step, name, position in steps:
            if step == "put":
                cache.put(name, entry(position))
            else:
                cache.drop(name, position)
                dropped[name] = max(dropped[name], position)
            shown: Entry | None = cache.get(name, least=least)
            assert shown is None or shown.position >= max(dropped[name], least)
    finally:
        module.MOST_REMEMBERED = most
