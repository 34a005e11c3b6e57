"""Running the demo: fill the store, tell the story, then keep reporting."""

from collections.abc import Callable, Iterable
from datetime import datetime

from attrs import frozen

from entrypoints.cli.demo.calls import Beat
from entrypoints.cli.demo.history_phases import phases
from entrypoints.cli.demo.live_traffic import live
from entrypoints.cli.demo.platform import datasets
from entrypoints.cli.demo.progress import Narrator
from entrypoints.cli.demo.seeded_random import Dice
from entrypoints.cli.demo.sender import Sender
from entrypoints.cli.demo.story import Story
from entrypoints.cli.running_server import Answer


@frozen
class Pace:
    """Waits for moments. One that is past already is not waited for."""

    now: Callable[[], datetime]
    sleep: Callable[[float], None]

    def until(self, at: datetime) -> None:
        left = (at - self.now()).total_seconds()
        if left > 0:
            self.sleep(left)


@frozen
class Demo:
    dice: Dice
    speed: float
    sender: Sender
    pace: Pace
    narrator: Narrator

    def fill(self) -> None:
        for phase in phases(self.dice, self.pace.now()):
            with self.narrator.progress(phase.said, len(phase.calls)) as step:
                for call in phase.calls:
                    self.sender.send(call)
                    step()

    def story(self) -> Story:
        """As it happens from now on."""
        return Story(self.dice, self.pace.now(), self.speed)

    def play(self, beats: Iterable[Beat]) -> None:
        for beat in beats:
            self.pace.until(beat.at)
            for call in beat.calls:
                self.sender.send(call)
            self.narrator.tell(beat.at, beat.said.format_map(self.sender.incidents))

    def stay(self) -> None:
        """Never ends by itself."""
        self.play(live(self.dice, self.pace.now(), self.speed))

    def summary(self) -> Answer:
        return {
            "seed": self.dice.seed,
            "datasets": len(datasets()),
            "requests": self.sender.calls,
            "updates": self.sender.updates,
            "incidents": dict(self.sender.incidents),
        }
