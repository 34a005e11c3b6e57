"""
Coming back from the log alone: the log is mended, every table is filled anew and compared.

What was lost may be all tables; or the log came back from a copy of an earlier moment, whose last
transaction is torn and which the tables, if they are there, are ahead of.
"""

from collections.abc import Callable
from time import perf_counter
from typing import Any

from attrs import define, field

from adapters.dynamodb.log_maintenance.inspection import DynamoInspector
from adapters.dynamodb.log_maintenance.torn_end import TornEnd
from adapters.eventstore.mapper import Mapper
from application.errors import Unavailable
from application.maintenance.progress import LongWork
from entrypoints.cli.log.read_only_keys import mapper_beside
from entrypoints.cli.log.repair import repair
from entrypoints.cli.plurals import counted
from entrypoints.cli.read_models.maintenance import BY_COMMAND, make_no_keys, must_exist, own
from entrypoints.container import Container, build
from entrypoints.engines.engine import engine_of
from entrypoints.interfaces import read_model_reports
from entrypoints.settings.loading import Settings
from entrypoints.wiring.opening import close, make_tables, open_log

Answer = dict[str, Any]


@define
class Restored:
    """What was done, and how many seconds each part took."""

    mended: int = 0
    events: int = 0
    verified: Answer = field(factory=dict)
    seconds: dict[str, float] = field(factory=dict)

    @property
    def sound(self) -> bool:
        return bool(self.verified.get("sound"))

    def answer(self) -> Answer:
        return {
            "sound": self.sound,
            "log_findings_mended": self.mended,
            "events": self.events,
            "seconds": self.seconds,
            "total_seconds": round(sum(self.seconds.values()), 3),
            "projections": self.verified.get("projections", []),
        }


async def restore(
    settings: Settings, key_path: Any, work: LongWork, tell: Callable[[str], None]
) -> Restored:
    """Needs the store for itself.

    Raises:
        Unavailable: The log is damaged beyond what can be mended; nothing was rebuilt.
        FolderInUse: A server owns the data folder.
    """
    must_exist(settings)
    restored, timed = Restored(), _Timer()
    container = build(settings)
    try:
        own(container)
        mapper = mapper_beside(key_path)
        cut = await _without_a_torn_end(settings, mapper, tell)
        mending = await repair(settings, mapper, work, tell, apply=True)
        if mending.left:
            said = (
                f"{counted(mending.left, 'finding')} cannot be mended: restore a better copy of it"
            )
            raise Unavailable("the event log", said)
        restored.mended = mending.mended + bool(cut)
        restored.seconds["log"] = timed.lap()
        await open_log(container)
        if cut:
            # One may have been made of what is gone.
            await container.snapshot_store().clear()
        await make_tables(container)
        make_no_keys(container)
        await _forget_the_future(container)
        names = [one.name for one in container.projections()]
        done = await container.rebuild()(names, work, by=BY_COMMAND, afresh=True)
        restored.events = max(one.events for one in done)
        await _forget_copies(container, tell)
        restored.seconds["rebuild"] = timed.lap()
        found = await container.verify()(names, work, repair=False, by=BY_COMMAND)
        restored.verified = read_model_reports.verified(found, timed.lap())
        restored.seconds["verify"] = restored.verified["seconds"]
    finally:
        await close(container)
    return restored


async def _without_a_torn_end(
    settings: Settings, mapper: Mapper, tell: Callable[[str], None]
) -> int:
    """How many items there were of a last append that is not whole; they are gone now."""
    async with engine_of(settings).read_log(settings, mapper) as tools:
        if not isinstance(tools.inspector, DynamoInspector):
            return 0  # SQLite sees to it when it opens the file.
        cut = await TornEnd(tools.inspector.reader).cut()
        if cut:
            tell(f"cut off: the last append was there only in part ({counted(cut, 'item')})")
        return cut


async def _forget_the_future(container: Container) -> None:
    """Those who follow the log and were beyond its end go on where it ends.

    Read models, too: what they knew of is waited for before others take over, and never comes.
    """
    head, cards = await container.feed().head(), container.cards()
    subscriptions = (*container.policy_runners(), *container.outboxes())
    keys = [key for one in subscriptions for key in one.checkpoints]
    for key in (*keys, *container.projection_names()):
        if await cards.reached(key) > head:
            await container.table_engine().forget(key)
            # Kept, not left out: a sink that began with an empty log would be told all of it again.
            await cards.file(key, {}, upto=head)


async def _forget_copies(container: Container, tell: Callable[[str], None]) -> None:
    """In the caches positions that are gone may have been reached: they would seem the newest."""
    cleared = await container.caches().clear()
    if cleared.shared is None and container.settings().redis_url is not None:
        tell("Redis does not answer: once it does, run `statestore cache clear`")


@define
class _Timer:
    _since: float = field(factory=perf_counter)

    def lap(self) -> float:
        """Seconds since the last one."""
        before, self._since = self._since, perf_counter()
        return round(self._since - before, 3)
