"""How much the log holds, and what it cost to count it."""

from typing import Any

from adapters.eventstore.inspection.progress import Progress
from adapters.eventstore.log_stats import End
from domain.timestamps import stamp
from entrypoints.cli.log.read_only_keys import closed_mapper
from entrypoints.engines.engine import engine_of
from entrypoints.settings.loading import Settings


async def count(settings: Settings, progress: Progress) -> dict[str, Any]:
    async with engine_of(settings).read_log(settings, closed_mapper()) as tools:
        stats = await tools.stats(progress)
        units = tools.units()
        return {
            "where": tools.where,
            "events": stats.events,
            "streams": stats.streams,
            "bytes": stats.bytes,
            "snapshots": stats.snapshots,
            **_end("first", stats.first),
            **_end("last", stats.last),
            **stats.parts,
            **({} if units is None else {"read units of this command": units.read}),
        }


def _end(name: str, end: End | None) -> dict[str, Any]:
    if end is None:
        return {}
    return {f"{name} position": end.position, f"{name} recorded at": stamp(end.at)}
