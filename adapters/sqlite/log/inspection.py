"""Looking for damage in a SQLite log, and what SQLite itself can mend."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import apsw
from attrs import frozen

from adapters.eventstore.continuity import Continuity, Trouble, gap
from adapters.eventstore.inspection.inspector import Finding, Kind
from adapters.eventstore.inspection.progress import Progress
from adapters.sqlite.connection.database import Database
from adapters.sqlite.log.inspection_scratch import scratch
from adapters.sqlite.log.read_only import LogBeside
from application.errors import Unavailable

PAGE = 1_000
_SOUND = "ok"


@frozen
class Reindex:
    """SQLite makes its indexes anew from the tables."""

    def __str__(self) -> str:
        return "make the indexes anew from the tables"


@frozen
class SqliteInspector:
    log: LogBeside
    trouble: Trouble

    async def end(self) -> int:
        return await self.log.head()

    async def findings(self, progress: Progress) -> AsyncIterator[Finding]:
        progress.begin("checking the file")
        for one in await asyncio.to_thread(lambda: list(self._file())):
            yield one
        async for one in self._entries(progress):
            yield one

    def _file(self) -> Iterator[Finding]:
        """What SQLite's own check says."""
        for (said,) in self.log.file.rows("PRAGMA integrity_check"):
            if said != _SOUND:
                remedy = Reindex() if "index" in said else None
                yield Finding(Kind.DAMAGED_FILE, self.log.file.path.name, said, remedy)

    async def _entries(self, progress: Progress) -> AsyncIterator[Finding]:
        head = await self.log.head()
        progress.begin("walking the log", head)
        with scratch() as seen:
            walk = Continuity(seen, self.trouble)
            while walk.position < head:
                page = await self.log.read(walk.position, PAGE)
                if not page:
                    yield gap(walk.position + 1, head)
                    return
                for entry in page:
                    for one in walk.after(entry):
                        yield one
                progress.reached(min(walk.position, head))


@frozen
class SqliteMender:
    """Needs the folder for itself."""

    database: Database

    async def mend(self, finding: Finding) -> None:
        if isinstance(finding.remedy, Reindex):
            await self.database.write(_reindex)


def _reindex(connection: apsw.Connection) -> None:
    try:
        connection.execute("REINDEX")
    except apsw.ConstraintError as error:
        raise Unavailable("the index", f"the tables themselves disagree: {error}") from error
