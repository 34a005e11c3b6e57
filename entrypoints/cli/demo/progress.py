"""What the demo shows while it runs: a progress bar and sentences, or nothing at all."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from attrs import frozen
from rich.console import Console, RenderableType
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

Step = Callable[[], None]


@frozen
class Narrator:
    """On a terminal with a bar, elsewhere a line when something is done; silent for scripts."""

    console: Console
    silent: bool = False

    def show(self, *things: RenderableType) -> None:
        if not self.silent:
            for thing in things:
                self.console.print(thing)

    def tell(self, at: datetime, said: str) -> None:
        if said:
            self.show(f"[dim]{at:%H:%M:%S}[/dim]  {escape(said)}")

    @contextmanager
    def progress(self, said: str, total: int) -> Iterator[Step]:
        if self.silent or not self.console.is_terminal:
            yield _nothing
            self.show(f"{said}: {total} requests")
            return
        looks = (
            TextColumn(f"{said:<20}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
        )
        with Progress(*looks, console=self.console) as bar:
            task = bar.add_task(said, total=total)
            yield lambda: bar.advance(task)


def _nothing() -> None:
    return None
