"""One transaction for a whole group of writes, in which each write may still fail alone."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple, Protocol

import apsw

from adapters.eventstore.appending.write_outcomes import Failed, Told, Waiting, tell
from adapters.sqlite.connection.errors import SURROUNDINGS, unavailable, understood

Run = Callable[[apsw.Connection, Sequence[Any]], Sequence[Any]]


class Entry(NamedTuple):
    """A write that waits. Neighbours with the same `run` are handed to it together."""

    run: Run
    item: Any
    waiting: Waiting
    expects_others: bool = False
    """Whether it may wait a moment for more of its kind."""


class Participant(Protocol):
    """Whoever keeps in memory what the transactions of the writer have stored."""

    def committing(self) -> None:
        """The commit comes next: from here on others may see what was written."""
        ...

    def committed(self) -> Iterable[Told]:
        """It is durable. Returns who else is to be told, and what."""
        ...

    def rolled_back(self) -> None:
        """Nothing of the transaction was stored."""
        ...


class TransactionLost(Exception):
    """SQLite has rolled the whole transaction back on its own."""


class Transactions:
    """Runs groups of writes on the connection of the writer, in the writer's thread."""

    def __init__(self, connection: apsw.Connection, what: str) -> None:
        self._connection = connection
        self._what = what
        self._untouched = True
        self.participants: list[Participant] = []

    def run(self, group: Sequence[Entry]) -> None:
        """Store the group and tell everyone; when that fails, nothing of the group is stored."""
        try:
            told = self._stored(group)
        except BaseException as error:  # noqa: BLE001 - whatever it is, the callers must hear of it
            self._roll_back()
            tell((entry.waiting, Failed(unavailable(self._what, error))) for entry in group)
        else:
            for participant in self.participants:
                told += participant.committed()
            tell(told)

    def _stored(self, group: Sequence[Entry]) -> list[Told]:
        self._begin()
        outcomes: list[Any] = []
        for run, entries in groupby(group, key=itemgetter(0)):
            outcomes += self._attempt(run, [entry.item for entry in entries])
        told = list(zip([entry.waiting for entry in group], outcomes, strict=True))
        for participant in self.participants:
            participant.committing()
        self._connection.execute("COMMIT")
        return told

    def _begin(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        self._untouched = True

    def _attempt(self, run: Run, items: Sequence[Any]) -> Sequence[Any]:
        # A savepoint copies every page that is touched; the first to write has nothing to keep.
        first, self._untouched = self._untouched, False
        if not first:
            self._connection.execute("SAVEPOINT attempt")
        try:
            outcomes = run(self._connection, items)
        except BaseException as error:  # noqa: BLE001 - it goes to the caller; the writer lives on
            self._undo(error, first=first)
            return self._failed(run, items, error)
        if not first:
            self._connection.execute("RELEASE attempt")
        return outcomes

    def _undo(self, error: BaseException, *, first: bool) -> None:
        if not self._connection.in_transaction:
            raise TransactionLost(str(error)) from error
        if first:
            self._connection.execute("ROLLBACK")
            self._begin()
        else:
            self._connection.execute("ROLLBACK TO attempt")
            self._connection.execute("RELEASE attempt")

    def _failed(self, run: Run, items: Sequence[Any], error: BaseException) -> Sequence[Any]:
        if len(items) == 1 or isinstance(error, SURROUNDINGS):
            return [Failed(understood(self._what, error)) for _ in items]
        # One of them is to blame: try each alone, so that only that one fails.
        return [outcome for item in items for outcome in self._attempt(run, [item])]

    def _roll_back(self) -> None:
        if self._connection.in_transaction:
            with suppress(apsw.Error):
                self._connection.execute("ROLLBACK")
        for participant in self.participants:
            participant.rolled_back()
