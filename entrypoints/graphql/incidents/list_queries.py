"""Lists of incidents, and the story of one, a page at a time."""

from datetime import datetime

import strawberry
from strawberry import UNSET

from application.incidents import read_model as board
from application.violations import refuse_any
from domain.errors import Violation
from domain.ids import DatasetUrn
from domain.incident import values
from domain.validation import text
from entrypoints.graphql.arguments import AsOf, MinPosition, of_part, said
from entrypoints.graphql.connections import Connection, Pagination, around, edges, wanted
from entrypoints.graphql.context import Info
from entrypoints.graphql.enums import IncidentStatus, Severity
from entrypoints.graphql.incidents.timeline_types import (
    TimelineConnection,
    TimelineEdge,
    TimelineEntry,
)
from entrypoints.graphql.incidents.types import Incident
from entrypoints.interfaces.names import dataset_named, incident_named
from entrypoints.interfaces.page_tokens import Pages
from entrypoints.interfaces.timestamps import refuse_backwards


@strawberry.input(description="Which incidents are wanted. What is left out does not matter.")
class IncidentFilter:
    status: list[IncidentStatus] | None = UNSET
    severity: list[Severity] | None = UNSET
    dataset_urn: str | None = UNSET
    owner_team: str | None = UNSET
    since: datetime | None = strawberry.field(
        name="from", default=UNSET, description="Opened then or later."
    )
    until: datetime | None = strawberry.field(
        name="to", default=UNSET, description="Opened then or earlier."
    )

    def meant(self, found: list[Violation]) -> board.IncidentFilter:
        """The filter as the application knows it, and what is wrong with it."""
        own: list[Violation] = []
        dataset, team = said(self.dataset_urn), said(self.owner_team)
        since, until = said(self.since), said(self.until)
        refuse_backwards(since, until, own)
        if dataset is not None:
            dataset_named(dataset, own)
        own += text("owner_team", team, most=100)
        found += of_part("filter", own)
        return board.IncidentFilter(
            statuses=tuple(sorted({values.IncidentStatus(one) for one in self.status or ()})),
            severities=tuple(sorted(set(self.severity or ()))),
            dataset=None if dataset is None else DatasetUrn(dataset),
            owner_team=team,
            since=since,
            until=until,
        )


@strawberry.type(description="An incident, and the cursor to go on after it.")
class IncidentEdge:
    cursor: str
    node: Incident


@strawberry.type(description="A page of incidents.")
class IncidentConnection(Connection):
    edges: list[IncidentEdge]


@strawberry.type
class IncidentListQueries:
    @strawberry.field(
        description="The incidents that fit: open ones first, then acknowledged, then resolved "
        "ones; within these the most severe and the oldest first. Those of one dataset come the "
        "newest first."
    )
    async def incidents(
        self,
        info: Info,
        filter: IncidentFilter,  # noqa: A002  # the schema's own word
        pagination: Pagination | None = UNSET,
        as_of: AsOf = UNSET,
        min_position: MinPosition = UNSET,
    ) -> IncidentConnection:
        context, found = info.context, list[Violation]()
        at, fitting = context.at(as_of, min_position, found), filter.meant(found)
        pages = Pages(context.page_secret, ("incidents", ascii(fitting), at.moment))
        request = wanted(pagination, pages, found)
        refuse_any(found)
        page = at.of(
            await context.use.list_incidents(fitting, request, demand=at.demand, by=context.by)
        )
        return IncidentConnection(
            edges=edges(page, pages, IncidentEdge, Incident.of), **around(page, pages, request)
        )

    @strawberry.field(
        description="Who did what to an incident, when. The error NOT_FOUND if there is none of "
        "that name."
    )
    async def incident_timeline(
        self,
        info: Info,
        incident_id: strawberry.ID,
        pagination: Pagination | None = UNSET,
        as_of: AsOf = UNSET,
        min_position: MinPosition = UNSET,
    ) -> TimelineConnection:
        context, found = info.context, list[Violation]()
        at, name = context.at(as_of, min_position, found), incident_named(incident_id, found)
        pages = Pages(context.page_secret, ("incident timeline", ascii(name), at.moment))
        request = wanted(pagination, pages, found)
        refuse_any(found)
        page = at.of(
            await context.use.read_timeline(name, request, demand=at.demand, by=context.by)
        )
        return TimelineConnection(
            edges=edges(page, pages, TimelineEdge, TimelineEntry.of),
            **around(page, pages, request),
        )
