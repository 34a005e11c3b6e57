"""
What is asked of DynamoDB about one table. Runs in a thread: boto3 waits.

DynamoDB Local knows neither backups nor tags; there they are neither asked for nor missed.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from attrs import frozen
from botocore.exceptions import BotoCoreError, ClientError

from adapters.dynamodb.tables.table_description import description, stream_specification, tag_list
from adapters.dynamodb.tables.table_differences import Found, stream_of
from adapters.dynamodb.transport.errors import Away, DynamoError, Rejected
from adapters.row_layouts.catalogue import Table

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


UNKNOWN = "UnknownOperationException"


class NotReady(Exception):
    """DynamoDB is still setting the table up: ask again."""


_ITS_OWN_MISTAKE = ("InternalFailure", "InternalServerError")
"""What the table is like then is to be looked at again. DynamoDB Local says so when several change
a table at once."""


@frozen
class TableCalls:
    client: "DynamoDBClient"
    table: Table

    # Looking.

    def found(self) -> Found | None:
        """All that can be told of the table; nothing if there is none."""
        described = self.described()
        if described is None:
            return None
        return Found(described, self.ttl(), self.restorable(), self.tags(described["TableArn"]))

    def described(self) -> dict[str, Any] | None:
        try:
            return dict(self.client.describe_table(TableName=self.table.name)["Table"])
        except self.client.exceptions.ResourceNotFoundException:
            return None

    def ttl(self) -> str | None:
        told = self.client.describe_time_to_live(TableName=self.table.name)
        described = told["TimeToLiveDescription"]
        on = described.get("TimeToLiveStatus") in ("ENABLED", "ENABLING")
        return described.get("AttributeName") if on else None

    def restorable(self) -> bool | None:
        try:
            told = self.client.describe_continuous_backups(TableName=self.table.name)
        except ClientError as error:
            if code(error) == UNKNOWN:
                return None
            raise
        backups = told["ContinuousBackupsDescription"].get("PointInTimeRecoveryDescription", {})
        return backups.get("PointInTimeRecoveryStatus") == "ENABLED"

    def tags(self, arn: str) -> Mapping[str, str] | None:
        pages = self.client.get_paginator("list_tags_of_resource").paginate(ResourceArn=arn)
        try:
            return {tag["Key"]: tag["Value"] for page in pages for tag in page["Tags"]}
        except ClientError as error:
            if code(error) == UNKNOWN:
                return None
            raise

    # Making.

    def create(self) -> bool:
        """False if another process was faster: its table is as good."""
        try:
            self.client.create_table(**description(self.table))
        except self.client.exceptions.ResourceInUseException:
            return False
        return True

    def switch_ttl_on(self) -> None:
        wanted: Any = {"Enabled": True, "AttributeName": self.table.ttl}
        try:
            self.client.update_time_to_live(
                TableName=self.table.name, TimeToLiveSpecification=wanted
            )
        except ClientError as error:
            # Another process was faster, and DynamoDB wants no second change within an hour.
            if code(error) != "ValidationException" or self.ttl() is None:
                raise

    def make_restorable(self) -> None:
        """Raises NotReady while backups of a new table are being set up."""
        wanted: Any = {"PointInTimeRecoveryEnabled": True}
        try:
            self.client.update_continuous_backups(
                TableName=self.table.name, PointInTimeRecoverySpecification=wanted
            )
        except self.client.exceptions.ContinuousBackupsUnavailableException as error:
            raise NotReady from error
        except ClientError as error:
            if code(error) != UNKNOWN:
                raise

    def switch_stream_on(self) -> None:
        """Raises NotReady while another change of the table is under way."""
        try:
            self.client.update_table(
                TableName=self.table.name, StreamSpecification=stream_specification(self.table)
            )
        except self.client.exceptions.ResourceInUseException as error:
            raise NotReady from error
        except ClientError as error:
            if code(error) in _ITS_OWN_MISTAKE:
                raise NotReady from error
            # Another process was faster.
            if code(error) != "ValidationException" or stream_of(self.described() or {}) is None:
                raise

    def tag(self, arn: str) -> None:
        self.client.tag_resource(ResourceArn=arn, Tags=tag_list(self.table))


def translated(work: Callable[[], Any]) -> Any:
    """What the work returns; boto3's errors become ours."""
    try:
        return work()
    except ClientError as error:
        raise _refusal(error) from error
    except BotoCoreError as error:
        raise Away(str(error)) from error


def code(error: ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code"))


def _refusal(error: ClientError) -> DynamoError:
    return Rejected(code(error), str(error.response.get("Error", {}).get("Message")))
