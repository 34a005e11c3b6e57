"""
Tables are made if they are missing and that is allowed, else only checked.

Where infrastructure is managed elsewhere nothing is created (S2-55, S2-85); a table that is not as
it must be is refused with everything that differs. Several processes may do this at once (S2-86).
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define, field, frozen

from adapters.dynamodb.tables.table_calls import NotReady, TableCalls, translated
from adapters.dynamodb.tables.table_differences import (
    Found,
    TableDiffers,
    TableMissing,
    differences,
    is_ours,
    stream_of,
)
from adapters.dynamodb.transport.errors import Away
from adapters.row_layouts.catalogue import Table

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

READY_SECONDS = 60.0
LOOK_SECONDS = 0.2

T = TypeVar("T")


@frozen
class Ensured:
    """A table that can be used now, and whether it was made just now."""

    table: Table
    made: bool


async def ensure_tables(
    client: "DynamoDBClient",
    tables: Sequence[Table],
    prefix: str = "",
    *,
    may_create: bool,
    complete: bool = False,
    ready_within: float = READY_SECONDS,
) -> Sequence[Ensured]:
    """See to it that the tables, called as the prefix says, can be used.

    With `complete` those that are there also get what they lack of copies, stream and tags; else
    only those that are made, so that a start asks for no more rights than it needs.

    Raises:
        TableMissing: One is not there, and it may not be created.
        TableDiffers: There is another one of that name.
        DynamoError: DynamoDB refuses, cannot be reached, or took too long.
    """
    ends = time.monotonic() + ready_within
    calls = [TableCalls(client, table.prefixed(prefix)) for table in tables]
    made = [Making(one, may_create, ends, complete=complete) for one in calls]
    return await _in_threads([one.ensure for one in made])


async def look_at_tables(
    client: "DynamoDBClient", tables: Sequence[Table], prefix: str = ""
) -> Sequence[Found | None]:
    """What there is of each table; nothing is changed.

    Raises:
        DynamoError: DynamoDB refuses or cannot be reached.
    """
    return await _in_threads([TableCalls(client, one.prefixed(prefix)).found for one in tables])


async def _in_threads(work: Sequence[Callable[[], T]]) -> Sequence[T]:
    """All results, once all have ended: the first failure is raised, and none is still at work."""
    threads = [asyncio.to_thread(partial(translated, one)) for one in work]
    results: list[T] = []
    for outcome in await asyncio.gather(*threads, return_exceptions=True):
        if isinstance(outcome, BaseException):
            raise outcome
        results.append(outcome)
    return results


@define
class Making:
    """Runs in a thread: boto3 waits, and so do we while a table is being made."""

    calls: TableCalls
    may_create: bool
    ends: float
    complete: bool = False
    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    table: Table = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.table = self.calls.table

    def ensure(self) -> Ensured:
        made = self.calls.described() is None and self._create()
        described = self._until_active()
        if self.may_create and is_ours(self.table, described):
            # Items of another table could begin to expire: it is left as it is.
            self._finish(made)
        self._check()
        return Ensured(self.table, made)

    def _create(self) -> bool:
        if not self.may_create:
            raise TableMissing(self.table.name)
        return self.calls.create()

    def _finish(self, made: bool) -> None:
        """Switch on what a creation leaves off, also one that was interrupted."""
        if self.table.ttl and self.calls.ttl() is None:
            self.calls.switch_ttl_on()
        if self.table.restorable and (made or (self.complete and not self.calls.restorable())):
            self._until_ready(self.calls.make_restorable, "its backups are not ready")
        if self.complete and not made:
            self._complete()

    def _complete(self) -> None:
        """Switch on what others may have left off."""
        described = self._until_active()
        if self.table.stream and stream_of(described) is None:
            self._until_ready(self.calls.switch_stream_on, "its stream is not ready")
        tags = self.calls.tags(described["TableArn"])
        if tags is not None and self.table.tags.items() - tags.items():
            self.calls.tag(described["TableArn"])

    def _until_active(self) -> dict[str, Any]:
        while True:
            described = self.calls.described() or {}
            if described.get("TableStatus") in ("ACTIVE", "UPDATING"):
                return described
            self._wait("it is not ready")

    def _until_ready(self, switch: Callable[[], None], reason: str) -> None:
        while True:
            try:
                return switch()
            except NotReady:
                self._wait(reason)

    def _check(self) -> None:
        found = Found(self.calls.described() or {}, self.calls.ttl())
        told = tuple(differences(self.table, found))
        if told:
            raise TableDiffers(self.table.name, told)

    def _wait(self, reason: str) -> None:
        if self.now() + LOOK_SECONDS >= self.ends:
            raise Away(f"the table {self.table.name}: {reason}")
        self.sleep(LOOK_SECONDS)
