"""Keeping the garbage collector out of the way: while modules load, and of the event loop."""

import gc


def load_without_looking() -> None:
    """Collect seldom from now on: modules are loaded, and they stay.

    Some 340 collections took an eighth of the time until a server was put together.
    """
    gc.set_threshold(50_000)


def let_what_is_loaded_be() -> None:
    """Look no more at what was loaded by now: it lives as long as the process.

    A full collection looks at every object there is. With all modules among them it stopped the
    event loop for 160 ms, now and then, in the middle of requests. Cycles are rare here, so full
    collections may be rare, too. Those in between come often instead, and are short: one after
    25,000 new objects takes 10 to 16 ms, one after 100,000 took up to 38.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 5, 400)
