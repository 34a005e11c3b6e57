"""
Figures: what was measured, what it was measured against, and whether that is enough.

The machines are shared and noisy, so a figure is a ratio of two contenders that take turns within
one run. Each round gives one number per contender, and the medians are compared.
"""

from collections.abc import Sequence
from enum import StrEnum
from statistics import median

from attrs import frozen


@frozen
class Effort:
    """How much is measured. A contender's turn lasts `seconds`; each has `rounds` turns."""

    rounds: int
    seconds: float
    events: int
    reads: int


FULL = Effort(rounds=5, seconds=2.0, events=50_000, reads=4_000)
QUICK = Effort(rounds=3, seconds=0.7, events=10_000, reads=1_000)


@frozen
class Target:
    """The ratio that was promised: at least this much, or at most."""

    ratio: float
    at_most: bool = False

    def met_by(self, ratio: float) -> bool:
        return ratio <= self.ratio if self.at_most else ratio >= self.ratio

    def __str__(self) -> str:
        return f"{'≤' if self.at_most else '≥'} {self.ratio:g}"


class Better(StrEnum):
    LOWER = "lower"
    HIGHER = "higher"


@frozen
class Measure:
    """A number of a figure that another run can be compared with."""

    value: float
    unit: str
    better: Better
    part: str = ""
    """Which number it is, where a figure has several."""


def lower(value: float, unit: str, part: str = "") -> Measure:
    """The lower the better."""
    return Measure(value, unit, Better.LOWER, part)


def higher(value: float, unit: str, part: str = "") -> Measure:
    """The higher the better."""
    return Measure(value, unit, Better.HIGHER, part)


@frozen
class Figure:
    """One line of the table. A figure without a target informs and cannot be missed."""

    what: str
    ours: str
    other: str = ""
    ratio: float | None = None
    spread: tuple[float, float] | None = None
    """The least and the greatest ratio of a single round: how noisy it was."""
    target: Target | None = None
    measures: Sequence[Measure] = ()
    """What another checkout is compared by; nothing where a number is of the machine."""
    id: str = ""
    """Only where `what` has changed since others were measured: it is the id otherwise."""

    @property
    def missed(self) -> bool:
        if self.target is None or self.ratio is None:
            return False
        return not self.target.met_by(self.ratio)


@frozen
class Section:
    """The figures of one benchmark."""

    title: str
    against: str
    figures: Sequence[Figure]


def compared(
    what: str,
    ours: Sequence[float],
    other: Sequence[float],
    *,
    unit: str,
    target: Target | None = None,
) -> Figure:
    """The ratio of the medians, and how far the rounds lie apart."""
    rounds = [one / two for one, two in zip(ours, other, strict=True)]
    better = higher if unit.endswith("/s") else lower
    ratio = median(ours) / median(other)
    return Figure(
        what,
        f"{amount(median(ours))} {unit}",
        f"{amount(median(other))} {unit}",
        ratio,
        (min(rounds), max(rounds)),
        target,
        (better(median(ours), unit), better(ratio, "", "ratio")),
    )


def amount(number: float) -> str:
    """Three digits or more, with a mark between thousands."""
    if number >= 100:
        return f"{number:,.0f}"
    return f"{number:.3g}"


def percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
