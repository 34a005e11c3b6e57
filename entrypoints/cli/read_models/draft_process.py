"""
Folding in a process of its own.

A server that folded the whole log itself could answer little else meanwhile. It starts this
command, which reads the log beside it and writes to a file that the server takes over afterwards.
"""

import asyncio
import json
import os
import sys
from collections.abc import Callable, Sequence

from attrs import frozen

from adapters.eventstore.feed import LogFeed
from adapters.eventstore.mapper import Mapper
from adapters.eventstore.sealing.seals import Seals
from adapters.generations.drafts import FoldHere
from adapters.row_layouts.hot_datasets import HotDatasets
from application.errors import Unavailable
from application.maintenance.progress import LongWork
from entrypoints.cli.log.read_only_keys import KeysBeside
from entrypoints.cli.read_models.progress_lines import Line, WorkLines, tell
from entrypoints.engines.engine import engine_of
from entrypoints.settings.loading import Settings, variable
from entrypoints.wiring.locations import draft_files, key_file
from entrypoints.wiring.projections import projections_by_name

COMMAND = "build-draft"


async def build_draft(
    settings: Settings,
    purpose: str,
    projections: Sequence[str],
    say: Callable[[Line], None],
    *,
    afresh: bool,
) -> None:
    """What the command does. People are sealed with the keys there are: none is made."""
    seals = Seals(KeysBeside.open(key_file(settings)))
    mapper = Mapper.of_catalogue(seals)
    async with engine_of(settings).read_log(settings, mapper) as tools:
        feed = LogFeed(tools.log, mapper)
        known, hot = projections_by_name(settings), HotDatasets(settings.hot_patterns)
        here = FoldHere(draft_files(settings), feed, known, seals, hot)
        await here.fold(purpose, projections, WorkLines(say), afresh=afresh)


@frozen
class FoldApart:
    """Has the command run, with the settings of this process, and tells how far it is."""

    settings: Settings

    async def fold(
        self, purpose: str, projections: Sequence[str], work: LongWork, *, afresh: bool
    ) -> None:
        words = [COMMAND, purpose, *projections, *(["--from-scratch"] if afresh else [])]
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "entrypoints",
            *words,
            env={**os.environ, **_variables(self.settings)},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            await _followed(process, work)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()


async def _followed(process: asyncio.subprocess.Process, work: LongWork) -> None:
    assert process.stdout
    assert process.stderr
    told = asyncio.create_task(process.stderr.read())
    async for line in process.stdout:
        tell(json.loads(line), work)
    said = (await told).decode(errors="replace").strip()
    if await process.wait() != 0:
        last = said.splitlines()[-1] if said else f"it ended with {process.returncode}"
        raise Unavailable("folding the log", last.removeprefix("statestore: "))


def _variables(settings: Settings) -> dict[str, str]:
    """What was set, wherever it was set. Who reads and folds needs no token."""
    said = settings.model_dump(mode="json", exclude_unset=True, exclude={"admin_token"})
    return {variable(name): str(value) for name, value in said.items() if value is not None}
