"""What the archive tells of its progress, as a part of long work."""

from application.evidence.archive import Progressed
from application.maintenance.progress import LongWork


def told_to(work: LongWork, what: str) -> Progressed:
    """The part begins when it is known how much there is to do."""
    begun: list[int] = []

    def progressed(done: int, whole: int) -> None:
        if not begun:
            begun.append(whole)
            work.begin(what, whole)
        work.reached(done)

    return progressed


class _Untold:
    def begin(self, what: str, total: int | None = None) -> None: ...

    def reached(self, done: int) -> None: ...


UNTOLD: LongWork = _Untold()
"""For work that nobody waits for."""
