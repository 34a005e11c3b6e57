"""
Which log this is: written once, when the log is first opened, and never changed.

Tables that follow a log remember whose they are: after a table was replaced by another one,
positions mean something else. The size of blocks is part of it, because keys depend on it.
"""

from attrs import frozen

from adapters.dynamodb.items.item_table import ItemTable
from adapters.dynamodb.items.typed_values import int_of, number, text, text_of
from adapters.dynamodb.log.keys import Keys
from adapters.dynamodb.transport.transport import Item


@frozen
class Identity:
    log_id: str
    block_size: int

    @property
    def blobs(self) -> str:
        """The beginning of the names of the blobs that its batches refer to."""
        return f"log/{self.log_id}"


async def identify(table: ItemTable, keys: Keys, new_id: str) -> Identity:
    """The log's identity; if there is none, the given id and block size become it.

    Raises:
        Unavailable: The table does not answer, or is not there.
    """
    found = await table.get(keys.identity)
    if found is None:
        made = {**keys.identity.item(), "id": text(new_id), "block_size": number(keys.block_size)}
        # Whoever is first decides, also when two open the log at once.
        found = await table.put_or_find(made)
    return _read(found)


def _read(item: Item) -> Identity:
    return Identity(text_of(item, "id"), int_of(item, "block_size"))
