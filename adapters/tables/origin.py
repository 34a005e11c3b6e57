"""
Which log the tables were filled from: one row, written by whoever comes first.

    PK      SK     log
    origin  STATE  4f1c…

Tables that follow another log, or one that has lost its end, must not be shown and not be written.
Other processes may be using them, so they are not thrown away either: people decide.
"""

from collections.abc import Sequence

from attrs import define

from adapters.tables.catalogue import PROJECTION_STATE
from adapters.tables.engine import Put, RowKey, TableEngine

_KEY = RowKey(PROJECTION_STATE.name, "origin", "STATE")


@define
class OfAnotherLog(Exception):
    because: str

    def __str__(self) -> str:
        return (
            f"the read models belong to another log: {self.because}. Choose another "
            "STATESTORE_TABLE_PREFIX, or delete their tables: they are filled again from the log"
        )


async def claim(engine: TableEngine, log_id: str, *, head: int, projections: Sequence[str]) -> None:
    """Make the tables those of this log, if they are nobody's yet.

    Raises:
        OfAnotherLog: They are another one's, or know more than this log holds.
    """
    row = {"PK": _KEY.pk, "SK": _KEY.sk, "log": log_id, "position": 1}
    await engine.write("origin", [Put(_KEY.table, row)], upto=1)
    (found,) = await engine.get([_KEY], strong=True)
    if found["log"] != log_id:
        raise OfAnotherLog(f"they were filled from the log {found['log']}, this one is {log_id}")
    for projection in projections:
        reached = await engine.reached(projection)
        if reached > head:
            raise OfAnotherLog(f"{projection} has read {reached} facts, the log holds {head}")
