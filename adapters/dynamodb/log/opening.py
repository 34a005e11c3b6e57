"""From where the log's table is to a table that can be asked."""

from attrs import evolve, frozen

from adapters.dynamodb.items.item_table import ItemTable
from adapters.dynamodb.retry.retry_policy import Patience
from adapters.dynamodb.tables.creation import ensure_tables
from adapters.dynamodb.tables.table_differences import TableDiffers, TableMissing
from adapters.dynamodb.transport.connecting import connect, table_client
from adapters.dynamodb.transport.errors import DynamoError
from adapters.row_layouts.catalogue import EVENT_LOG, Table
from application.errors import Unavailable


@frozen
class Location:
    """Where the table is. What is left out, the AWS settings of the surroundings say."""

    table: str = EVENT_LOG.name
    endpoint_url: str | None = None
    region: str | None = None
    profile: str | None = None


def table_at(location: Location, patience: Patience | None = None) -> ItemTable:
    """The table, not looked at yet. Close its transport in the end.

    Raises:
        Unavailable: The surroundings name no region, or the endpoint is none.
    """
    try:
        transport = connect(
            endpoint_url=location.endpoint_url,
            region=location.region,
            profile=location.profile,
            patience=patience,
        )
    except (DynamoError, ValueError) as error:
        raise Unavailable(f"the table {location.table}", str(error)) from error
    return ItemTable(transport, location.table)


async def prepare(location: Location, *, may_create: bool, declared: Table = EVENT_LOG) -> None:
    """See to it that the table is there, as it is declared.

    Raises:
        Unavailable: DynamoDB does not answer, or the table is missing or another one.
    """
    try:
        client = table_client(
            endpoint_url=location.endpoint_url, region=location.region, profile=location.profile
        )
        table = evolve(declared, name=location.table)
        await ensure_tables(client, [table], may_create=may_create)
    except (DynamoError, TableDiffers, TableMissing, ValueError) as error:
        raise Unavailable(f"the table {location.table}", str(error)) from error
