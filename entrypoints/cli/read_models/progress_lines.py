"""
How far long work has come, as lines of JSON.

    {"work": "folding the log", "total": 100000}
    {"reached": 40960}
    {"result": {…}}     or {"error": "…"}; always the last
"""

from collections.abc import Callable
from typing import Any

from attrs import frozen

from application.maintenance.progress import LongWork

Line = dict[str, Any]


@frozen
class WorkLines:
    """Tells the work as lines."""

    say: Callable[[Line], None]

    def begin(self, what: str, total: int | None = None) -> None:
        self.say({"work": what, "total": total})

    def reached(self, done: int) -> None:
        self.say({"reached": done})


def tell(line: Line, work: LongWork) -> None:
    """The other way round. Lines about anything else are passed over."""
    if "work" in line:
        work.begin(line["work"], line.get("total"))
    elif "reached" in line:
        work.reached(line["reached"])
