"""The tour: the story with stops, at which the commands that a user would type are run."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from shlex import join

from attrs import define, field, frozen
from rich.text import Text

from entrypoints.cli.demo.demo import Demo
from entrypoints.cli.demo.tour_stops import BEFORE, STOPS, Look, Stop
from entrypoints.cli.running_server import api


@define
class StoryClock:
    """Stands still while somebody reads, so that the story does not hurry afterwards."""

    clock: Callable[[], datetime]
    stood: timedelta = field(factory=timedelta)

    def now(self) -> datetime:
        return self.clock() - self.stood

    def stand(self, while_doing: Callable[[], None]) -> None:
        began = self.clock()
        while_doing()
        self.stood += self.clock() - began


@frozen
class Tour:
    """`run` is given the words of a command; `pause` waits until the reader is ready."""

    demo: Demo
    clock: StoryClock
    run: Callable[[Sequence[str]], None]
    pause: Callable[[], None]

    def take(self, base: str, token: str) -> None:
        self._tell(
            "The commands below are run as they stand. The same with curl:",
            f"  API={base}{api()}",
            f"  TOKEN={token}",
            "",
        )
        self.demo.fill()
        self._stop(BEFORE)
        for beat in self.demo.story().beats():
            self.demo.play([beat])
            self._stop(beat.name)
        self._tell("", "From here: statestore --help, docs/terminal.md, and the API's own /docs.")

    def _stop(self, name: str) -> None:
        if name in STOPS:
            self.clock.stand(lambda: self._show(STOPS[name]))

    def _show(self, stop: Stop) -> None:
        self.demo.narrator.show("", Text(stop.title, style="bold underline"), Text(stop.text))
        for look in stop.looks:
            self._look(look)
        self.demo.narrator.show("")
        self.pause()

    def _look(self, look: Look) -> None:
        incidents = self.demo.sender.incidents
        words = look.command(incidents)
        self._tell("", f"$ statestore {join(words)}", style="bold cyan")
        self._tell(*(f"# {curl}" for curl in look.curls(incidents)), style="dim")
        self.run(words)

    def _tell(self, *lines: str, style: str = "") -> None:
        """Lines as they are: whoever copies one must not find it folded."""
        for line in lines:
            self.demo.narrator.console.print(Text(line, style=style), soft_wrap=True)
