"""The machine that is measured on: how fast its Python is, and how much of it others take."""

import platform
from pathlib import Path
from time import perf_counter

from attrs import frozen

_TURNS = 1_000_000
_STOLEN = 7
"""Where `/proc/stat` has the time in which the cores were somebody else's."""


def python() -> str:
    """One that was built without optimisation takes half as long again."""
    return f"Python {platform.python_version()}, {_loop() * 1e9:.0f} ns a turn of a loop"


def _loop() -> float:
    best = 1.0
    for _ in range(5):
        started = perf_counter()
        for _ in range(_TURNS):
            pass
        best = min(best, perf_counter() - started)
    return best / _TURNS


@frozen
class Cores:
    """What the cores have done so far, in ticks."""

    all_in_all: int
    stolen: int

    @classmethod
    def now(cls) -> "Cores":
        """Nothing where the system does not say."""
        told = Path("/proc/stat")
        if not told.exists():
            return cls(0, 0)
        ticks = [int(word) for word in told.read_text().splitlines()[0].split()[1:]]
        # Those of guests are among those of users.
        return cls(sum(ticks[: _STOLEN + 1]), ticks[_STOLEN])

    def stolen_since(self, before: "Cores") -> float:
        """The share of them that others on the same hardware took."""
        return (self.stolen - before.stolen) / max(self.all_in_all - before.all_in_all, 1)
