"""
Two checkouts measured in alternating turns: what changes on the machine meanwhile meets both.

    here there   there here   here there

A figure is worse when its medians differ by more than the noise: a bound that is given, or half of
what the turns of either checkout lie apart, whichever is more.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf
from statistics import median

from attrs import frozen
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from benchmarks.measuring.figures import Better, amount
from benchmarks.measuring.results import Result

LEAST_TURNS = 3
NOISE = 0.1
COLUMNS = ("", "here", "there", "here / there", "pairs of turns", "noise", "")

Results = Mapping[str, Result]
Measure = Callable[[], Results]


@frozen
class Compared:
    """One figure in both checkouts, a value for each turn."""

    id: str
    unit: str
    better: Better
    here: Sequence[float]
    there: Sequence[float]
    least_noise: float

    @property
    def ratio(self) -> float:
        return _ratio(median(self.here), median(self.there))

    @property
    def spread(self) -> tuple[float, float]:
        """The least and the greatest ratio of the turns that followed each other."""
        pairs = [_ratio(one, two) for one, two in zip(self.here, self.there, strict=True)]
        return min(pairs), max(pairs)

    @property
    def noise(self) -> float:
        return max(self.least_noise, _apart(self.here), _apart(self.there))

    @property
    def is_worse(self) -> bool:
        return self._gets_more(self.better is Better.LOWER) > self.noise

    @property
    def is_better(self) -> bool:
        return self._gets_more(self.better is Better.HIGHER) > self.noise

    def _gets_more(self, of_it: bool) -> float:
        """By which share there is more of it here; or less, which is more there than here."""
        ratio = self.ratio if of_it else _ratio(1, self.ratio)
        return ratio - 1


@frozen
class Comparison:
    """A section in both checkouts."""

    name: str
    figures: Sequence[Compared]
    only_here: Sequence[str]
    only_there: Sequence[str]

    @property
    def worse(self) -> Sequence[Compared]:
        return [one for one in self.figures if one.is_worse]


def compare(name: str, here: Measure, there: Measure, *, turns: int, noise: float) -> Comparison:
    """Take as many turns of each."""
    taken: dict[Measure, list[Results]] = {here: [], there: []}
    for measure in in_turns(here, there, turns):
        taken[measure].append(measure())
    return compared(name, taken[here], taken[there], noise)


def in_turns(here: Measure, there: Measure, turns: int) -> Iterator[Measure]:
    for turn in range(turns):
        yield from (there, here) if turn % 2 else (here, there)


def compared(
    name: str, here: Sequence[Results], there: Sequence[Results], noise: float
) -> Comparison:
    """Figures that not every turn has are not compared, but named."""
    ours, theirs = _in_all(here), _in_all(there)
    figures = [
        Compared(
            id_,
            here[0][id_].unit,
            here[0][id_].better,
            [turn[id_].value for turn in here],
            [turn[id_].value for turn in there],
            noise,
        )
        for id_ in ours
        if id_ in theirs
    ]
    only_here = [id_ for id_ in ours if id_ not in theirs]
    only_there = [id_ for id_ in theirs if id_ not in ours]
    return Comparison(name, figures, only_here, only_there)


def _in_all(turns: Sequence[Results]) -> Sequence[str]:
    return [id_ for id_ in turns[0] if all(id_ in turn for turn in turns)]


def _ratio(one: float, two: float) -> float:
    if two:
        return one / two
    return inf if one else 1.0


def _apart(values: Sequence[float]) -> float:
    """Half of the distance between the least and the greatest, of their median."""
    return _ratio(max(values) - min(values), 2 * median(values)) if max(values) else 0.0


# For people.


def show_comparison(comparison: Comparison, console: Console) -> None:
    table = Table(*COLUMNS, box=SIMPLE_HEAD, pad_edge=False)
    for column in table.columns:
        column.no_wrap = True
    for one in comparison.figures:
        table.add_row(*_cells(one))
    console.print(table)
    for where, ids in (("here", comparison.only_here), ("there", comparison.only_there)):
        for id_ in ids:
            console.print(f"only {where}: {id_}")


def show_verdict(comparisons: Sequence[Comparison], failed: Sequence[str], console: Console) -> int:
    """Gives the exit code: 1 if a figure is worse, 2 if a section could not be measured."""
    worse = [one for section in comparisons for one in section.worse]
    every = sum(len(section.figures) for section in comparisons)
    console.print(f"{len(worse)} of {every} figures are worse here by more than the noise")
    for one in worse:
        console.print(f"  {one.id}: {one.ratio:.2f}, noise {one.noise:.0%}")
    if failed:
        console.print(f"not measured in both: {', '.join(failed)}")
    return 2 if failed else int(bool(worse))


def _cells(one: Compared) -> Sequence[str]:
    least, greatest = one.spread
    return (
        one.id,
        f"{amount(median(one.here))} {one.unit}".rstrip(),
        f"{amount(median(one.there))} {one.unit}".rstrip(),
        f"{one.ratio:.2f}",
        f"{least:.2f}–{greatest:.2f}",
        f"{one.noise:.0%}",
        "[red]worse[/]" if one.is_worse else "[green]better[/]" if one.is_better else "",
    )
