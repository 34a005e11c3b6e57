"""How far long work has come: a bar on a terminal, a line now and then elsewhere."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer
from attrs import define
from rich.console import Console
from rich.progress import (
    BarColumn,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bars
from rich.text import Text

from adapters.eventstore.inspection.progress import Progress, Silent

EVERY_SECONDS = 5.0


@contextmanager
def progress_shown(*, quiet: bool = False) -> Iterator[Progress]:
    """On standard error, so that answers stay apart."""
    if quiet:
        yield Silent()
    elif sys.stderr.isatty():
        with _bars() as bars:
            yield Bar(bars)
    else:
        yield Lines(lambda line: typer.echo(line, err=True))


class Count(ProgressColumn):
    """How many of how many, and how fast."""

    def render(self, task: Task) -> Text:
        done = f"{int(task.completed):,}"
        of = "" if task.total is None else f" of {int(task.total):,}"
        speed = task.finished_speed or task.speed
        return Text(done + of + ("" if speed is None else f", {speed:,.0f}/s"))


def _bars() -> Bars:
    return Bars(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        Count(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        # What is printed meanwhile goes above the bar, unless it goes elsewhere.
        redirect_stdout=sys.stdout.isatty(),
    )


@define
class Bar:
    bars: Bars
    _task: TaskID | None = None

    def begin(self, what: str, total: int | None = None) -> None:
        self._task = self.bars.add_task(what, total=total)

    def reached(self, done: int) -> None:
        if self._task is not None:
            self.bars.update(self._task, completed=done)


@define
class Lines:
    """At most a line every few seconds, and none for what is quick."""

    say: Callable[[str], None]
    now: Callable[[], float] = time.monotonic
    _what: str = ""
    _total: int | None = None
    _began: float = 0.0
    _said: float = 0.0

    def begin(self, what: str, total: int | None = None) -> None:
        self._what, self._total = what, total
        self._began = self._said = self.now()

    def reached(self, done: int) -> None:
        now = self.now()
        if now - self._said >= EVERY_SECONDS:
            self._said = now
            self.say(self._line(done, now - self._began))

    def _line(self, done: int, seconds: float) -> str:
        speed = done / seconds
        if self._total is None:
            return f"{self._what}: {done:,}, {speed:,.0f}/s"
        left = (self._total - done) / speed if speed else 0
        share = done / self._total if self._total else 1
        return (
            f"{self._what}: {done:,} of {self._total:,} ({share:.0%}), "
            f"{speed:,.0f}/s, {left:,.0f} s left"
        )
