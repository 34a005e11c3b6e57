"""Events as they are recorded, for whoever listens."""

from typing import Annotated

from fastapi import APIRouter, Header, Query

from application.delivery.event import EventType
from application.delivery.subscription import EventFilter
from application.violations import refuse_any
from domain.errors import Violation
from entrypoints.http.authentication import By
from entrypoints.http.dependencies import Shared, Use
from entrypoints.http.description.responses import answers
from entrypoints.http.streaming.event_stream import EventStream
from entrypoints.http.validation.names import API, URN_SCHEMA
from entrypoints.interfaces.consistency import position_said
from entrypoints.interfaces.names import dataset_named

router = APIRouter(prefix=API, tags=["events"])

MOST_DATASETS = 100

After = Annotated[
    str | None,
    Query(description="A position token: what was recorded after it. Without one, from now on."),
]
LastEventId = Annotated[
    str | None,
    Header(
        alias="Last-Event-ID",
        description="The last id that was seen; counts before `after`. Browsers send it.",
    ),
]
Types = Annotated[list[EventType], Query(alias="type", description="May be repeated.")]
Datasets = Annotated[
    list[str],
    Query(
        description="May be repeated.",
        max_length=MOST_DATASETS,
        json_schema_extra={"items": {"type": "string", **URN_SCHEMA}},
    ),
]


@router.get(
    "/events",
    operation_id="streamEvents",
    summary="Listen to events as they are recorded",
    description="Server-sent events, without an end: each with its position as `id`, its type as "
    "`event`, and the event as `data` (docs/events.schema.json). What was missed is told after "
    "coming back with `Last-Event-ID`. A reader that reads nothing for half a minute is let go.",
    status_code=200,
    response_class=EventStream,
    responses=answers(),
)
async def listen(
    by: By,
    use: Use,
    shared: Shared,
    type_: Types = [],  # noqa: B006  # FastAPI copies it
    dataset_urn: Datasets = [],  # noqa: B006
    after: After = None,
    last_event_id: LastEventId = None,
) -> EventStream:
    found: list[Violation] = []
    wanted = EventFilter(
        frozenset(type_), frozenset(dataset_named(urn, found) for urn in dataset_urn)
    )
    said_in, token = ("Last-Event-ID", last_event_id) if last_event_id else ("after", after)
    position = position_said(said_in, token, found)
    refuse_any(found)
    start = await use.listen_to_events.start(position, by=by, said_in=said_in)
    streams = shared.event_streams()
    streams.enter()
    source = use.listen_to_events.follow(start, wanted, patience=streams.heartbeat)
    return EventStream(streams, source, start)
