"""The day before: every signal of the platform in windows of half an hour, oldest first."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from entrypoints.cli.demo import past_incidents
from entrypoints.cli.demo.evaluations import WELL, Verdict, Window, update
from entrypoints.cli.demo.platform import Dataset, datasets
from entrypoints.cli.demo.seeded_random import Dice
from entrypoints.cli.running_server import Answer

SIZE = timedelta(minutes=30)
WINDOWS = 48
BATCH = 250

_HICCUPS = 0.006
"""So many windows are a little off, without anyone being called."""


def history(dice: Dice, now: datetime) -> Iterator[Answer]:
    last = _floor(now)
    for back in range(WINDOWS - 1, -1, -1):
        window = Window(last - back * SIZE, SIZE, "TUMBLING_30MIN", back)
        for dataset, signal in signals():
            how = _verdict(dice, dataset, signal, window, now)
            yield update(dice, dataset, signal, window, how)


def signals() -> Iterator[tuple[Dataset, str]]:
    for dataset in datasets().values():
        for signal in dataset.signals:
            yield dataset, signal


def _verdict(dice: Dice, dataset: Dataset, signal: str, window: Window, now: datetime) -> Verdict:
    trouble = past_incidents.verdict(dataset.short, signal, window.end, now)
    if trouble is not None:
        return trouble
    recent = now - window.end < 2 * SIZE
    hiccup = dice.share("hiccup", dataset.short, signal, window.number) < _HICCUPS
    return Verdict("WARNING") if hiccup and not recent else WELL


def _floor(now: datetime) -> datetime:
    return now.replace(minute=now.minute // 30 * 30, second=0, microsecond=0)
