"""Looking incidents up: one, and those that are not resolved."""

import strawberry
from strawberry import UNSET

from application.incidents.read_model import IncidentFilter
from application.violations import refuse_any
from domain.errors import NotFound, Violation
from domain.incident.values import UNRESOLVED
from entrypoints.graphql.arguments import AsOf, MinPosition
from entrypoints.graphql.context import Info
from entrypoints.graphql.enums import Severity
from entrypoints.graphql.incidents.types import Incident
from entrypoints.graphql.limits.list_limits import BOUNDED, gathered
from entrypoints.interfaces.names import incident_named


@strawberry.type
class IncidentQueries:
    @strawberry.field(description="An incident; null if there is none of that name.")
    async def incident(
        self,
        info: Info,
        incident_id: strawberry.ID,
        as_of: AsOf = UNSET,
        min_position: MinPosition = UNSET,
    ) -> Incident | None:
        context, found = info.context, list[Violation]()
        at = context.at(as_of, min_position, found)
        name = incident_named(incident_id, found)
        refuse_any(found)
        try:
            return Incident.of(
                at.of(await context.use.read_incident(name, demand=at.demand, by=context.by))
            )
        except NotFound:
            return None

    @strawberry.field(
        description="The incidents that are not resolved: open ones first, then acknowledged "
        f"ones; within these the most severe and the oldest first. {BOUNDED}"
    )
    async def active_incidents(
        self,
        info: Info,
        severity: Severity | None = UNSET,
        as_of: AsOf = UNSET,
        min_position: MinPosition = UNSET,
    ) -> list[Incident]:
        context, found = info.context, list[Violation]()
        at = context.at(as_of, min_position, found)
        refuse_any(found)
        severities = (severity,) if severity else ()
        wanted = IncidentFilter(statuses=UNRESOLVED, severities=severities)
        active = await gathered(
            info,
            at,
            lambda page: context.use.list_incidents(wanted, page, demand=at.demand, by=context.by),
        )
        return [Incident.of(one) for one in active]
