"""
What the tables were filled from, and how: one row, written by whoever comes first.

    PK      SK     log    hot
    origin  STATE  4f1c…  ["urn:dp:orders:*"]

Tables that follow another log, or one that has lost its end, must not be shown and not be written;
nor may others read signals where they do not lie. Other processes may be using the tables, so they
are not thrown away: people decide.
"""

from collections.abc import Awaitable, Callable, Sequence

from attrs import define, frozen

from adapters.row_layouts.catalogue import PROJECTION_STATE
from adapters.row_layouts.engine import Put, Row, RowKey, RowStore
from adapters.row_layouts.hot_datasets import NONE_HOT, HotDatasets

_KEY = RowKey(PROJECTION_STATE.name, "origin", "STATE")


@define
class FilledOtherwise(Exception):
    reason: str

    def __str__(self) -> str:
        return (
            f"the read models were filled otherwise: {self.reason}. Set it back, choose another "
            "STATESTORE_TABLE_PREFIX, or delete the tables: they are filled again from the log"
        )


@frozen
class Origin:
    log: str
    hot: HotDatasets = NONE_HOT

    async def claim(
        self,
        engine: RowStore,
        projections: Sequence[str],
        *,
        head: Callable[[], Awaitable[int]],
    ) -> None:
        """Make the tables those of this origin, if they are nobody's yet.

        Raises:
            FilledOtherwise: They have another one, or know more than the log holds.
        """
        reached = {name: await engine.reached(name) for name in projections}
        # What was filled before anybody took note was filled without hot datasets.
        hot = () if any(reached.values()) else self.hot.patterns
        await engine.write("origin", [Put(_KEY.table, self._row(hot))], upto=1)
        (found,) = await engine.get([_KEY], strong=True)
        self._compare(found)
        # Asked for only now: others may append and fold while we start.
        holds = await head()
        for name, position in reached.items():
            if position > holds:
                raise FilledOtherwise(f"{name} has read {position} facts, the log holds {holds}")

    def _row(self, hot: Sequence[str]) -> Row:
        return {"PK": _KEY.pk, "SK": _KEY.sk, "log": self.log, "hot": [*hot], "position": 1}

    def _compare(self, found: Row) -> None:
        if found["log"] != self.log:
            raise FilledOtherwise(f"from the log {found['log']}, and this is {self.log}")
        if sorted(found["hot"]) != sorted(self.hot.patterns):
            were = ", ".join(found["hot"]) or "none"
            raise FilledOtherwise(f"the hot datasets were {were} (STATESTORE_HOT_DATASETS)")
