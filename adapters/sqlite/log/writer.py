"""The writer's side of the log: what comes next, and what has become durable."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

import apsw

from adapters.eventstore.appending.head_watch import HeadWatch
from adapters.eventstore.appending.stream_heads import StreamHeads
from adapters.eventstore.appending.write_outcomes import Failed, Told
from adapters.eventstore.export.transfer import OutOfPlace
from adapters.eventstore.log import Append, LogEntry, Receipt
from adapters.eventstore.milliseconds import milliseconds
from adapters.sqlite.log.draft import Draft
from adapters.sqlite.log.table import LogTable, Row


class LogWriter:
    """Stores appends, many with one statement, for all who use the log of one application.

    It belongs to the writer's thread; others may read `head` and `heads`, which hold only what is
    durable. What a transaction moves is kept aside until the commit, so a rolled back group
    leaves no trace.
    """

    def __init__(self, table: LogTable, now: Callable[[], datetime], hot_streams: int) -> None:
        self._table = table
        self._insertion = table.insert
        self._now = now
        self.watch = HeadWatch()
        self.heads = StreamHeads(hot_streams)
        self.head: int | None = None
        self._moved: dict[str, int] = {}
        self._position = 0
        self._ms = 0
        self._resumed = False

    # Storing.

    def write(
        self, connection: apsw.Connection, appends: Sequence[Append]
    ) -> Sequence[Receipt | Failed]:
        """Store the appends that continue their streams; a conflict fails only its own append."""
        self._resume(connection)
        draft = Draft(
            lambda stream: self._last_version(connection, stream),
            position=self._position,
            ms=max(self._ms, milliseconds(self._now())),
        )
        outcomes = [draft.add(append) for append in appends]
        self._insert(connection, draft.rows)
        self._take_over(draft)
        return outcomes

    def write_one(self, connection: apsw.Connection, append: Append) -> Receipt:
        """Store an append inside a job. It must be the job's last step: nothing may fail after it.

        Raises:
            StreamConflict: A version or a guard did not hold.
        """
        (outcome,) = self.write(connection, (append,))
        if isinstance(outcome, Failed):
            raise outcome.error
        return outcome

    def write_recorded(self, connection: apsw.Connection, entries: Sequence[LogEntry]) -> None:
        """Store what another log has recorded at one moment: same positions, same moment.

        It must be the job's last step: nothing may fail after it.

        Raises:
            OutOfPlace: They do not follow the last entry.
            StreamConflict: One of them does not continue its stream.
        """
        self._resume(connection)
        position, ms = entries[0].position, milliseconds(entries[0].recorded_at)
        if position != self._position + 1:
            raise OutOfPlace(position, f"the log ends at {self._position}")
        if ms < self._ms:
            raise OutOfPlace(position, "it was recorded before the one that precedes it")
        draft = Draft(
            lambda stream: self._last_version(connection, stream), position=self._position, ms=ms
        )
        outcome = draft.add(Append([entry.event for entry in entries]))
        if isinstance(outcome, Failed):
            raise outcome.error
        self._insert(connection, draft.rows)
        self._take_over(draft)

    def look(self, connection: apsw.Connection) -> None:
        """Learn where the log ends, before anything is written: whoever reads asks for it."""
        self._resume(connection)
        if not self._moved:
            self.head = self._position

    def _resume(self, connection: apsw.Connection) -> None:
        if not self._resumed:
            last = connection.execute(self._table.last).fetchone()
            self._position, self._ms = last or (0, 0)
            self._resumed = True

    def _last_version(self, connection: apsw.Connection, stream: str) -> int | None:
        known = self._moved.get(stream)
        if known is None:
            known = self.heads.get(stream)
        if known is None:
            known = connection.execute(self._table.last_version, (stream,)).get
            if known is not None:
                # Not yet among the heads: this transaction may have written it.
                self._moved[stream] = known
        return known

    def _insert(self, connection: apsw.Connection, rows: Sequence[Row]) -> None:
        try:
            self._insertion.run(connection, rows)
        except apsw.ConstraintError as error:
            if getattr(error, "extendedresult", None) != apsw.SQLITE_CONSTRAINT_DATATYPE:
                # The place is taken: somebody has written past us, and nothing known is true.
                self._forget()
            raise

    def _take_over(self, draft: Draft) -> None:
        if draft.rows:
            self._moved.update(draft.moved)
            self._position, self._ms = draft.position, draft.ms

    # The ends of a transaction.

    def committing(self) -> None:
        # Others may see the commit before `committed` runs: until then they ask the database.
        if self._moved:
            self.heads.forget(self._moved)
            self.head = None

    def committed(self) -> Iterable[Told]:
        if not self._moved:
            return ()
        self.heads.remember(self._moved)
        self._moved = {}
        self.head = self._position
        return self.watch.reached(self.head)

    def rolled_back(self) -> None:
        self._moved = {}
        self._resumed = False

    def _forget(self) -> None:
        self.rolled_back()
        self.heads.clear()
        self.head = None
