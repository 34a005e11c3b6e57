"""What engines report while time goes by: a few signals at a time, with small wobbles."""

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from itertools import count

from entrypoints.cli.demo import past_incidents
from entrypoints.cli.demo.calls import Beat, batch
from entrypoints.cli.demo.evaluations import WELL, Verdict, Window, update
from entrypoints.cli.demo.history import signals
from entrypoints.cli.demo.platform import Dataset
from entrypoints.cli.demo.seeded_random import Dice
from entrypoints.cli.demo.signal_courses import COURSES
from entrypoints.cli.running_server import Answer

AT_ONCE = 12
SECONDS = 2.0
"""Between one report and the next, at speed 1."""

_WOBBLES = 0.03


def live(dice: Dice, start: datetime, speed: float) -> Iterator[Beat]:
    """For ever."""
    for tick in count():
        at = start + timedelta(seconds=SECONDS / speed) * tick
        updates = traffic(dice, at, tick)
        unwell = [one for one in updates if one["state"] != "OK"]
        said = f"{len(updates)} windows, {len(unwell)} not OK" if unwell else ""
        yield Beat(at, said, (batch(updates),))


def traffic(
    dice: Dice, at: datetime, tick: int, but: Collection[tuple[str, str]] = ()
) -> list[Answer]:
    """The next few signals in turn, except those that somebody else reports on."""
    every = [(one, signal) for one, signal in signals() if (one.short, signal) not in but]
    turn = [every[(tick * AT_ONCE + n) % len(every)] for n in range(AT_ONCE)]
    window = Window.sliding(at, tick)
    return [
        update(dice, one, signal, window, _verdict(dice, one, signal, at, tick))
        for one, signal in turn
    ]


def _verdict(dice: Dice, dataset: Dataset, signal: str, at: datetime, tick: int) -> Verdict:
    standing = past_incidents.verdict(dataset.short, signal, at, at)
    if standing is not None:
        return standing
    wobbles = dice.share("wobble", dataset.short, signal, tick) < _WOBBLES
    return Verdict("WARNING") if wobbles and not _has_a_past(dataset, signal) else WELL


def _has_a_past(dataset: Dataset, signal: str) -> bool:
    """A wobble there would look like an incident that comes back."""
    troubled = {(one.dataset, one.signal) for one in past_incidents.TROUBLES}
    return dataset.tier == 1 or (dataset.short, signal) in COURSES.keys() | troubled
