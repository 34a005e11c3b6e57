"""gRPC: every step and every read."""

from collections.abc import Callable
from typing import Any

import grpc.aio
from attrs import frozen
from google.protobuf.json_format import ParseDict
from google.protobuf.message import Message

from entrypoints.grpc.messages import datasets_pb2, incidents_pb2, lineage_pb2, signals_pb2
from tests.entrypoints.grpc.support.served import refused
from tests.scenarios.answers import Done, How, Outcome, Question, Refused, Told, plain, without
from tests.scenarios.driver import Said
from tests.scenarios.grpc.calls import GrpcCalls
from tests.scenarios.grpc.forms import dataset, incident, update
from tests.scenarios.grpc.reader import GrpcReader
from tests.scenarios.messages import in_json

Form = Callable[[Any], Told]


@frozen
class GrpcDriver:
    calls: GrpcCalls

    def register(self, said: Said) -> Outcome:
        settings = without(said, "dataset_urn")
        return self._dataset(
            datasets_pb2.RegisterDatasetRequest(),
            dataset_urn=said["dataset_urn"],
            settings=settings,
        )

    def change_dataset(self, urn: str, said: Said) -> Outcome:
        settings = without(said, "expected_version")
        request = datasets_pb2.UpdateDatasetRequest()
        request.update_mask.paths.extend(settings)
        expected = {name: value for name, value in said.items() if name not in settings}
        return self._dataset(request, dataset_urn=urn, settings=settings, **expected)

    def retire(self, urn: str) -> Outcome:
        return self._dataset(datasets_pb2.RetireDatasetRequest(), dataset_urn=urn)

    def restore(self, urn: str) -> Outcome:
        return self._dataset(datasets_pb2.RestoreDatasetRequest(), dataset_urn=urn)

    def declare(self, said: Said) -> Outcome:
        return self._sent(lineage_pb2.DeclareLineageRequest(), _spec(said), plain)

    def report(self, urn: str, signal_type: str, said: Said) -> Outcome:
        """A conflict, and whatever else is refused, is an answer."""
        request = signals_pb2.UpdateSignalStateRequest(dataset_urn=urn, signal_type=signal_type)
        ParseDict({"state": without(said, "expected_version")}, request)
        request.expected_version = said["expected_version"]
        answer = self.calls.call(request)
        if answer.success:
            return Done(update(in_json(answer), urn, signal_type), answer.position)
        return Refused(
            answer.error_code,
            {one.field: one.code for one in answer.violations},
            answer.current_version if answer.error_code == "VERSION_CONFLICT" else None,
        )

    def open_incident(self, said: Said) -> Outcome:
        return self._sent(
            incidents_pb2.CreateIncidentRequest(),
            said,
            lambda told: {**incident(told), "joined": told["joined"]},
        )

    def acknowledge(self, incident: str, **said: Any) -> Outcome:
        return self._changed(incident, status="ACKNOWLEDGED", **said)

    def assign(self, incident: str, **said: Any) -> Outcome:
        """Nobody is an empty name here."""
        return self._changed(incident, **{**said, "oncall_user": said["oncall_user"] or ""})

    def note(self, incident: str, **said: Any) -> Outcome:
        return self._changed(incident, **said)

    def snooze(self, incident: str, **said: Any) -> Outcome:
        return self._incident(incidents_pb2.SnoozeIncidentRequest(), incident, said)

    def wake(self, incident: str) -> Outcome:
        return self._incident(incidents_pb2.EndSnoozeRequest(), incident, {})

    def resolve(self, incident: str, **said: Any) -> Outcome:
        return self._incident(incidents_pb2.ResolveIncidentRequest(), incident, said)

    def reopen(self, incident: str, **said: Any) -> Outcome:
        return self._incident(incidents_pb2.ReopenIncidentRequest(), incident, said)

    def merge(self, incident: str, **said: Any) -> Outcome:
        return self._incident(incidents_pb2.MergeIncidentRequest(), incident, said)

    def split(self, incident: str, **said: Any) -> Outcome:
        return self._incident(incidents_pb2.SplitIncidentRequest(), incident, said)

    def answers(self, question: Question) -> bool:
        return True

    def ask(self, question: Question, how: How) -> Told:
        return GrpcReader(self.calls, how).ask(question)

    def as_far_as_told(self, question: Question, told: Told) -> Told:
        return told

    def _changed(self, incident: str, **said: Any) -> Outcome:
        return self._incident(incidents_pb2.UpdateIncidentRequest(), incident, said)

    def _incident(self, request: Message, name: str, said: Said) -> Outcome:
        return self._sent(request, {"incident_id": name, **said}, incident)

    def _dataset(self, request: Message, **said: Any) -> Outcome:
        return self._sent(request, said, dataset)

    def _sent(self, request: Message, said: Said, form: Form) -> Outcome:
        try:
            answer = self.calls.call(ParseDict(said, request))
        except grpc.aio.AioRpcError as error:
            return _refusal(error)
        return Done(form(in_json(answer)), answer.answer.position)


def _refusal(error: grpc.aio.AioRpcError) -> Refused:
    told = refused(error)
    version = told.data.get("current_version")
    return Refused(
        told.reason,
        told.violations,
        int(version) if version else None,
        told.data.get("current_status"),
    )


def _spec(said: Said) -> Said:
    """Messages have one kind of entry for datasets and columns."""
    kinds = ("dataset_reads", "dataset_writes", "column_reads", "column_writes")
    return {**said, **{kind: list(map(_entry, said[kind])) for kind in kinds}}


def _entry(said: Said) -> Said:
    place = "dataset_urn" if "dataset_urn" in said else "column_urn"
    return {**without(said, place), "urn": said[place]}
