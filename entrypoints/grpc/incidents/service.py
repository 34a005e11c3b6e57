"""The IncidentService: opening or joining, changing, resolving, snoozing, merging and splitting."""

from collections.abc import Awaitable, Callable
from functools import partial

from attrs import frozen

from application.incidents.changes import IncidentChanged
from domain.errors import Violation
from domain.ids import IncidentId
from domain.incident.patch import IncidentPatch, Snooze
from entrypoints.grpc.fields.fields import said, version_said
from entrypoints.grpc.incidents.reads import IncidentReads
from entrypoints.grpc.incidents.requests import ending_said, patch_said, report_said, snooze_said
from entrypoints.grpc.incidents.responses import incident_told
from entrypoints.grpc.messages import incidents_pb2 as pb
from entrypoints.grpc.server.call import Call, written
from entrypoints.interfaces.names import incident_named

Act = Callable[..., Awaitable[IncidentChanged]]
Action = (
    pb.ReopenIncidentRequest
    | pb.SnoozeIncidentRequest
    | pb.EndSnoozeRequest
    | pb.MergeIncidentRequest
    | pb.SplitIncidentRequest
)


@frozen
class IncidentService(IncidentReads):
    async def create_incident(self, request: pb.CreateIncidentRequest, call: Call) -> pb.Incident:
        found: list[Violation] = []
        report = report_said(request, found)
        opened = await self.use.open_incident(report, by=call.by, found=found)
        card = (
            await self.use.read_incident(opened.incident, by=call.by, version=opened.version)
        ).value
        answer = written(opened.position, replayed=opened.replayed)
        return incident_told(card, answer, joined=opened.joined)

    async def update_incident(self, request: pb.UpdateIncidentRequest, call: Call) -> pb.Incident:
        found: list[Violation] = []
        return await self._changed(request.incident_id, patch_said(request, found), found, call)

    async def resolve_incident(self, request: pb.ResolveIncidentRequest, call: Call) -> pb.Incident:
        found: list[Violation] = []
        return await self._changed(request.incident_id, ending_said(request, found), found, call)

    async def reopen_incident(self, request: pb.ReopenIncidentRequest, call: Call) -> pb.Incident:
        act = partial(self.use.reopen_incident, reason=said(request.reason))
        return await self._done(act, request, [], call)

    async def snooze_incident(self, request: pb.SnoozeIncidentRequest, call: Call) -> pb.Incident:
        found: list[Violation] = []
        act = partial(self.use.snooze_incident, snooze=snooze_said(request, found))
        return await self._done(act, request, found, call)

    async def end_snooze(self, request: pb.EndSnoozeRequest, call: Call) -> pb.Incident:
        act = partial(self.use.snooze_incident, snooze=Snooze(None))
        return await self._done(act, request, [], call)

    async def merge_incident(self, request: pb.MergeIncidentRequest, call: Call) -> pb.Incident:
        into = IncidentId(request.into)
        act = partial(self.use.merge_incident, into=into, reason=said(request.reason))
        return await self._done(act, request, [], call)

    async def split_incident(self, request: pb.SplitIncidentRequest, call: Call) -> pb.Incident:
        act = partial(self.use.split_incident, reason=said(request.reason))
        return await self._done(act, request, [], call)

    async def _changed(
        self, incident_id: str, patch: IncidentPatch, found: list[Violation], call: Call
    ) -> pb.Incident:
        name = incident_named(incident_id, found)
        changed = await self.use.change_incident(name, patch, by=call.by, found=found)
        return await self._after(changed, call)

    async def _done(
        self, act: Act, request: Action, found: list[Violation], call: Call
    ) -> pb.Incident:
        name = incident_named(request.incident_id, found)
        version = version_said(request, found)
        changed = await act(name, by=call.by, expected_version=version, found=found)
        return await self._after(changed, call)

    async def _after(self, changed: IncidentChanged, call: Call) -> pb.Incident:
        """The incident as the change left it."""
        card = (
            await self.use.read_incident(changed.incident, by=call.by, version=changed.version)
        ).value
        return incident_told(card, written(changed.position, replayed=changed.replayed))
