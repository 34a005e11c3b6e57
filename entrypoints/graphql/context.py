"""What the resolvers of one request share: who asks, whom to ask, and what was read already."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import strawberry
from attrs import define, field

from application.caller import Caller
from application.reads.demand import Demand
from application.use_cases import UseCases
from domain.errors import Violation
from entrypoints.graphql.arguments import said
from entrypoints.graphql.consistency import Asked
from entrypoints.interfaces.consistency import position_said
from entrypoints.interfaces.dependencies import Dependencies
from entrypoints.interfaces.event_streams import EventStreams


@define(eq=False)
class Context:
    """Made anew for each request."""

    by: Caller
    use: UseCases
    page_secret: bytes
    event_streams: EventStreams
    now: datetime
    """The same for all of the request: spans that end now are one span."""
    cut: list[dict[str, Any]] = field(factory=list)
    """Where lists of the answer end before they are whole."""
    _asked: dict[Demand, Asked] = field(factory=dict)

    @classmethod
    def of(cls, shared: Dependencies, by: Caller) -> "Context":
        return cls(
            by,
            shared.use_cases(),
            shared.page_secret(),
            shared.event_streams(),
            shared.clock().now(),
        )

    def at(self, as_of: datetime | None, min_position: str | None, found: list[Violation]) -> Asked:
        """How to ask, as the arguments of a query say."""
        position = position_said("min_position", said(min_position), found)
        return self.asked(Demand(said(as_of), position))

    def asked(self, demand: Demand) -> Asked:
        """Whatever is asked in the same way shares what was read."""
        if demand not in self._asked:
            self._asked[demand] = Asked(self.by, self.use, demand)
        return self._asked[demand]

    def note_cut(self, path: Sequence[str | int], told: int) -> None:
        self.cut.append({"path": list(path), "told": told})


Info = strawberry.Info[Context, None]
