"""From where the log's table is to a table that can be asked."""

from attrs import frozen

from adapters.dynamodb.connecting import connect, table_client
from adapters.dynamodb.errors import DynamoError
from adapters.dynamodb.item_table import ItemTable
from adapters.dynamodb.log_table import LogTable, TableDiffers, TableMissing
from adapters.dynamodb.tables import ensure_table
from application.errors import Unavailable


@frozen
class Location:
    """Where the table is. What is left out, the AWS settings of the surroundings say."""

    table: str = LogTable.name
    endpoint_url: str | None = None
    region: str | None = None
    profile: str | None = None


async def open_table(location: Location, *, may_create: bool) -> ItemTable:
    """Connect, and see to it that the table is there. Close its transport in the end.

    Raises:
        Unavailable: DynamoDB does not answer, or the table is missing or another one.
    """
    try:
        client = table_client(
            endpoint_url=location.endpoint_url, region=location.region, profile=location.profile
        )
        await ensure_table(client, LogTable(location.table), may_create=may_create)
        transport = connect(
            endpoint_url=location.endpoint_url, region=location.region, profile=location.profile
        )
        return ItemTable(transport, location.table)
    except (DynamoError, TableDiffers, TableMissing, ValueError) as error:
        raise Unavailable(f"the table {location.table}", str(error)) from error
