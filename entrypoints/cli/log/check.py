"""Looking for damage in the log."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from attrs import define, field

from adapters.eventstore.inspection.inspector import Finding
from adapters.eventstore.inspection.progress import Progress
from adapters.eventstore.mapper import Mapper
from entrypoints.cli.plurals import counted
from entrypoints.engines.engine import engine_of
from entrypoints.settings.loading import Settings

MOST_KEPT = 10_000
"""Findings that an answer in JSON holds; all of them are counted."""
MOST_TOLD = 20
"""Lines of each kind, unless all are asked for: one wrong key file makes every event unreadable."""

Tell = Callable[[str], None]


@define
class Report:
    """What was found, as it is told in the end."""

    where: str
    events: int
    kept: list[Finding] = field(factory=list)
    kinds: Counter[str] = field(factory=Counter)
    mendable: int = 0

    def add(self, finding: Finding) -> None:
        self.kinds[finding.kind] += 1
        self.mendable += finding.remedy is not None
        if len(self.kept) < MOST_KEPT:
            self.kept.append(finding)

    @property
    def sound(self) -> bool:
        return not self.kinds

    def __str__(self) -> str:
        if self.sound:
            return f"{self.where}: {counted(self.events, 'event')}, nothing is wrong"
        kinds = ", ".join(f"{number} {kind}" for kind, number in self.kinds.most_common())
        return (
            f"{self.where}: {counted(self.events, 'event')}, "
            f"{counted(self.kinds.total(), 'finding')} ({kinds}); "
            f"{self.mendable} can be mended with `statestore log repair`"
        )

    def answer(self) -> dict[str, Any]:
        return {
            "where": self.where,
            "events": self.events,
            "sound": self.sound,
            "kinds": dict(self.kinds),
            "mendable": self.mendable,
            "findings": [_answer(one) for one in self.kept],
        }


def _answer(finding: Finding) -> dict[str, Any]:
    return {
        "kind": finding.kind,
        "where": finding.where,
        "what": finding.what,
        "remedy": None if finding.remedy is None else str(finding.remedy),
    }


async def check(
    settings: Settings, mapper: Mapper, progress: Progress, tell: Tell, *, everything: bool = False
) -> Report:
    async with engine_of(settings).read_log(settings, mapper) as tools:
        report = Report(tools.where, await tools.inspector.end())
        async for finding in tools.inspector.findings(progress):
            report.add(finding)
            if everything or report.kinds[finding.kind] <= MOST_TOLD:
                tell(str(finding))
        if not everything:
            for kind, number in report.kinds.items():
                if number > MOST_TOLD:
                    tell(f"{kind}  and {number - MOST_TOLD} more; --all tells them")
        return report
