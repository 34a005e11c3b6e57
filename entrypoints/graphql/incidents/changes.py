"""One change of an incident: on which version it was decided, and what came of it."""

import hashlib
from collections.abc import Awaitable, Callable
from typing import Any

import orjson
import strawberry
from attrs import asdict, evolve, frozen

from application.caller import Caller, RequestKey
from application.incidents.changes import IncidentChanged
from application.reads.demand import Demand
from application.reads.position import Position
from domain.errors import Violation
from domain.ids import IncidentId
from domain.incident.patch import IncidentPatch
from domain.versions import ANY_VERSION
from entrypoints.graphql.arguments import said
from entrypoints.graphql.context import Context, Info
from entrypoints.graphql.incidents.types import Incident
from entrypoints.interfaces.credentials import key_violations
from entrypoints.interfaces.names import incident_named

Act = Callable[..., Awaitable[IncidentChanged]]


@strawberry.type(description="An incident that was changed.")
class IncidentPayload:
    incident: Incident = strawberry.field(description="As the change left it.")
    position: str = strawberry.field(
        description="Where the log stood after the change; a token for minPosition."
    )
    replayed: bool = strawberry.field(
        description="Whether this repeats an earlier answer: the key was used before."
    )


@frozen
class Changing:
    """`change` is the mutation's name."""

    context: Context
    change: str
    incident: IncidentId
    expected_version: int
    key: str | None
    found: list[Violation]

    @classmethod
    def of(
        cls, info: Info, incident_id: str, expected_version: int | None, key: str | None
    ) -> "Changing":
        found: list[Violation] = []
        name = incident_named(incident_id, found)
        version = _version(said(expected_version), found)
        if said(key) is not None:
            found += key_violations("idempotency_key", str(key))
        return cls(info.context, info.field_name, name, version, said(key), found)

    async def patched(self, patch: IncidentPatch) -> IncidentPayload:
        wanted = evolve(patch, expected_version=self.expected_version)
        changing = self.context.use.change_incident
        by = self._by(wanted)
        return await self._told(await changing(self.incident, wanted, by=by, found=self.found))

    async def done(self, act: Act, **how: Any) -> IncidentPayload:
        version = self.expected_version
        changed = await act(
            self.incident, **how, by=self._by(how), expected_version=version, found=self.found
        )
        return await self._told(changed)

    async def _told(self, changed: IncidentChanged) -> IncidentPayload:
        context, position = self.context, Position(changed.position)
        # What belongs to the incident is read with the change in it.
        at = context.asked(Demand(min_position=position))
        read = context.use.read_incident
        incident = at.of(
            await read(self.incident, demand=at.demand, by=context.by, version=changed.version)
        )
        return IncidentPayload(
            incident=Incident.of(incident), position=position.token(), replayed=changed.replayed
        )

    def _by(self, content: object) -> Caller:
        """Who asks, with a fingerprint that is the same for the same change, however written."""
        if self.key is None:
            return self.context.by
        meant = [self.change, self.incident, self.expected_version, content]
        written = orjson.dumps(meant, default=asdict, option=orjson.OPT_SORT_KEYS)
        fingerprint = hashlib.sha256(b"graphql\n" + written).hexdigest()
        return evolve(self.context.by, request=RequestKey(self.key, fingerprint))


def _version(expected: int | None, found: list[Violation]) -> int:
    if expected is None:
        return ANY_VERSION
    if expected < ANY_VERSION:
        found.append(Violation("expected_version", "OUT_OF_RANGE", "must be -1 or more"))
    return expected
