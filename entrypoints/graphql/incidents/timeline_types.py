"""What happened to an incident, as dashboards see it."""

from datetime import datetime

import strawberry
from strawberry.scalars import JSON

from application.incidents.queries import Happening
from application.reads.position import Position
from entrypoints.graphql.connections import Connection
from entrypoints.graphql.consistency import Found
from entrypoints.interfaces.timelines import HAPPENED, details


@strawberry.type(description="Something that happened: who, when, what.")
class TimelineEntry:
    at: datetime
    actor: str
    event_type: str = strawberry.field(description="Such as OPENED, ACKNOWLEDGED or RESOLVED.")
    details: JSON = strawberry.field(description="What the fact says, in the words of HTTP.")
    version: int
    position: str = strawberry.field(description="Where it stands in the log; an opaque token.")
    event_id: str
    causation_id: str | None = strawberry.field(
        description="The eventId of the fact that made a policy act; null if it was asked for."
    )
    request_id: str = strawberry.field(
        description="Of the request it came with, or that made a policy act; empty if none."
    )

    @classmethod
    def of(cls, found: Found[Happening]) -> "TimelineEntry":
        happening = found.what
        return cls(
            at=happening.at,
            actor=happening.by,
            event_type=HAPPENED[type(happening.fact)],
            details=JSON(details(happening.fact)),
            version=happening.version,
            position=Position(happening.position).token(),
            event_id=happening.event_id.hex(),
            causation_id=happening.causation_id,
            request_id=happening.correlation_id,
        )


@strawberry.type(description="An entry, and the cursor to go on after it.")
class TimelineEdge:
    cursor: str
    node: TimelineEntry


@strawberry.type(description="A page of a timeline, the oldest first.")
class TimelineConnection(Connection):
    edges: list[TimelineEdge]
