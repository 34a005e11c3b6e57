"""
What happens, told as it happens.

Both follow the log itself, from now on or after any position that was told: whoever comes back
with the last one it saw misses nothing.
"""

from collections.abc import AsyncGenerator
from typing import Annotated, cast

import strawberry
from strawberry import UNSET

from application.delivery.event import Event, EventType
from domain.errors import NotFound, Violation
from domain.ids import IncidentId
from entrypoints.graphql.arguments import said
from entrypoints.graphql.context import Context, Info
from entrypoints.graphql.enums import Severity, SignalStateEnum
from entrypoints.graphql.events.log_listener import MOST_DATASETS, datasets_named, listening
from entrypoints.graphql.events.types import IncidentChange, IncidentEventType, SignalChange

After = Annotated[
    str | None,
    strawberry.argument(
        description="The `position` of an event, a write or an answer: tell what was recorded "
        "after it. Without one, from now on."
    ),
]
Datasets = Annotated[
    list[str] | None,
    strawberry.argument(description=f"Only of these, at most {MOST_DATASETS}; else of all."),
]
States = Annotated[
    list[SignalStateEnum] | None, strawberry.argument(description="Only into these states.")
]
Severities = Annotated[
    list[Severity] | None,
    strawberry.argument(description="Only of incidents that are so severe by now."),
]
Types = Annotated[
    list[IncidentEventType] | None, strawberry.argument(description="Only of these kinds.")
]


@strawberry.type(description="What can be listened to.")
class Subscription:
    @strawberry.subscription(
        description="Signals as they change their state. The changes of a signal form a chain: "
        "each begins with the state that the last one ended with."
    )
    async def signal_changes(
        self,
        info: Info,
        dataset_urns: Datasets = UNSET,
        states: States = UNSET,
        after: After = UNSET,
    ) -> AsyncGenerator[SignalChange, None]:
        found: list[Violation] = []
        datasets = datasets_named("dataset_urns", said(dataset_urns) or [], found)
        wanted = frozenset(said(states) or ())

        async def told(event: Event) -> SignalChange | None:
            change = SignalChange.of(event)
            return change if not wanted or change.state in wanted else None

        types = (EventType.SIGNAL_STATE_CHANGED,)
        heard = await listening(info.context, types, datasets, said(after), found, told)
        return cast(AsyncGenerator[SignalChange, None], heard)

    @strawberry.subscription(description="Incidents as they are created, changed and resolved.")
    async def incident_changes(
        self,
        info: Info,
        dataset_urn: str | None = UNSET,
        severity: Severities = UNSET,
        types: Types = UNSET,
        after: After = UNSET,
    ) -> AsyncGenerator[IncidentChange, None]:
        found: list[Violation] = []
        urn = said(dataset_urn)
        datasets = datasets_named("dataset_urn", [] if urn is None else [urn], found)
        severities = frozenset(said(severity) or ())
        kinds = map(EventType, said(types) or IncidentEventType)

        async def told(event: Event) -> IncidentChange | None:
            if severities and await _severity(info.context, event) not in severities:
                return None
            return IncidentChange.of(event)

        heard = await listening(info.context, kinds, datasets, said(after), found, told)
        return cast(AsyncGenerator[IncidentChange, None], heard)


async def _severity(context: Context, event: Event) -> Severity | None:
    """Nothing, if it is no longer kept."""
    name = IncidentId(event.told["incident_id"])
    try:
        return (await context.use.read_incident(name, by=context.by)).value.severity
    except NotFound:
        return None
