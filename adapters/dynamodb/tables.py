"""
The table of the event log is made if it is missing and that is allowed, else only checked.

Where infrastructure is managed elsewhere nothing is created (S2-55, S2-85); a table that is not as
it must be is refused with everything that differs.
"""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from attrs import define
from botocore.exceptions import BotoCoreError, ClientError

from adapters.dynamodb.errors import Away, DynamoError, Rejected
from adapters.dynamodb.log_table import (
    LogTable,
    TableDiffers,
    TableMissing,
    description,
    differences,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

READY_SECONDS = 60.0
LOOK_SECONDS = 0.2


async def ensure_table(
    client: "DynamoDBClient",
    table: LogTable,
    *,
    may_create: bool,
    ready_within: float = READY_SECONDS,
) -> None:
    """See to it that the table can be used. Many processes may do so at once (S2-86).

    Raises:
        TableMissing: There is none, and it may not be created.
        TableDiffers: There is another one of that name.
        DynamoError: DynamoDB refuses, cannot be reached, or took too long.
    """
    made = Making(client, table, may_create, time.monotonic() + ready_within)
    await asyncio.to_thread(partial(_translated, made.ensure))


@define
class Making:
    """Runs in a thread: boto3 waits, and so do we while a table is being made."""

    client: "DynamoDBClient"
    table: LogTable
    may_create: bool
    ends: float
    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep

    def ensure(self) -> None:
        if self._described() is None:
            self._create()
        self._until_active()
        ttl = self._ttl()
        if self.may_create and ttl is None and self._is_ours_but_for_ttl():
            self._switch_ttl_on()
            ttl = self._ttl()
        self._check(ttl)

    def _create(self) -> None:
        if not self.may_create:
            raise TableMissing(self.table.name)
        try:
            self.client.create_table(**description(self.table))
        except self.client.exceptions.ResourceInUseException:
            return  # Another process was faster: its table is as good.
        self._until_active()
        self._make_restorable()

    def _until_active(self) -> None:
        while (self._described() or {}).get("TableStatus") not in ("ACTIVE", "UPDATING"):
            self._wait("it is not ready")

    def _make_restorable(self) -> None:
        wanted: Any = {"PointInTimeRecoveryEnabled": True}
        while True:
            try:
                self.client.update_continuous_backups(
                    TableName=self.table.name, PointInTimeRecoverySpecification=wanted
                )
            except self.client.exceptions.ContinuousBackupsUnavailableException:
                # Backups of a new table are being set up by DynamoDB.
                self._wait("its backups are not ready")
            except ClientError as error:
                if _code(error) != "UnknownOperationException":  # DynamoDB Local has no backups.
                    raise
                return
            else:
                return

    def _is_ours_but_for_ttl(self) -> bool:
        # Items of another table could begin to expire: it is left as it is.
        return not any(differences(self.table, self._described() or {}, self.table.ttl))

    def _switch_ttl_on(self) -> None:
        wanted: Any = {"Enabled": True, "AttributeName": self.table.ttl}
        try:
            self.client.update_time_to_live(
                TableName=self.table.name, TimeToLiveSpecification=wanted
            )
        except ClientError as error:
            # Another process was faster, and DynamoDB wants no second change within an hour.
            if _code(error) != "ValidationException" or self._ttl() is None:
                raise

    def _check(self, ttl: str | None) -> None:
        found = tuple(differences(self.table, self._described() or {}, ttl))
        if found:
            raise TableDiffers(self.table.name, found)

    def _described(self) -> dict[str, Any] | None:
        try:
            return dict(self.client.describe_table(TableName=self.table.name)["Table"])
        except self.client.exceptions.ResourceNotFoundException:
            return None

    def _ttl(self) -> str | None:
        told = self.client.describe_time_to_live(TableName=self.table.name)
        described = told["TimeToLiveDescription"]
        on = described.get("TimeToLiveStatus") in ("ENABLED", "ENABLING")
        return described.get("AttributeName") if on else None

    def _wait(self, because: str) -> None:
        if self.now() + LOOK_SECONDS >= self.ends:
            raise Away(f"the table {self.table.name}: {because}")
        self.sleep(LOOK_SECONDS)


def _translated(ensure: Callable[[], None]) -> None:
    try:
        ensure()
    except ClientError as error:
        raise _refusal(error) from error
    except BotoCoreError as error:
        raise Away(str(error)) from error


def _refusal(error: ClientError) -> DynamoError:
    return Rejected(_code(error), str(error.response.get("Error", {}).get("Message")))


def _code(error: ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code"))
