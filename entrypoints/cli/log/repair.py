"""Mending what can be mended in the log."""

from collections.abc import Sequence
from typing import Any

from attrs import define

from adapters.eventstore.inspection.inspector import Finding, Mender
from adapters.eventstore.inspection.progress import Progress
from adapters.eventstore.mapper import Mapper
from application.errors import Unavailable
from entrypoints.cli.log.check import Tell
from entrypoints.cli.log.open_log import Tools
from entrypoints.cli.log.sqlite import mending
from entrypoints.cli.plurals import counted
from entrypoints.engines.engine import engine_of
from entrypoints.settings.loading import Settings


@define
class Repair:
    """What was mended, or would be, and what cannot be."""

    where: str
    applied: bool
    mended: int = 0
    left: int = 0

    def __str__(self) -> str:
        if not self.applied:
            told = f"{counted(self.mended, 'finding')} would be mended; `--apply` does it"
        else:
            told = f"{counted(self.mended, 'finding')} mended"
        return f"{self.where}: {told}, {self.left} cannot be"

    def answer(self) -> dict[str, Any]:
        return {
            "where": self.where,
            "applied": self.applied,
            "mended": self.mended,
            "left": self.left,
        }


async def repair(
    settings: Settings, mapper: Mapper, progress: Progress, tell: Tell, *, apply: bool
) -> Repair:
    """Look first, then mend, if asked to. Log batches and rows are never touched."""
    async with engine_of(settings).read_log(settings, mapper) as tools:
        found = [one async for one in tools.inspector.findings(progress)]
        done = Repair(tools.where, apply)
        if not apply:
            for one in found:
                _plan(one, done, tell)
        elif found:
            await _mended(settings, tools, found, done, tell)
        return done


def _plan(finding: Finding, done: Repair, tell: Tell) -> None:
    if finding.remedy is None:
        done.left += 1
        tell(f"cannot be mended: {finding}")
    else:
        done.mended += 1
        tell(f"would {finding.remedy}: {finding}")


async def _mended(
    settings: Settings, tools: Tools, found: Sequence[Finding], done: Repair, tell: Tell
) -> None:
    async with mending(settings, tools) as mender:
        for one in found:
            if one.remedy is None:
                done.left += 1
                tell(f"cannot be mended: {one}")
            else:
                await _mend(mender, one, done, tell)


async def _mend(mender: Mender, finding: Finding, done: Repair, tell: Tell) -> None:
    try:
        await mender.mend(finding)
    except Unavailable as error:
        done.left += 1
        tell(f"not mended ({error}): {finding}")
    else:
        done.mended += 1
        tell(f"mended: {finding}")
