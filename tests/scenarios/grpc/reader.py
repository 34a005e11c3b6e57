"""Everything that can be read, as gRPC tells it."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import grpc.aio
from attrs import frozen

from entrypoints.grpc.fields.timestamps import timestamp
from entrypoints.grpc.messages import (
    common_pb2,
    datasets_pb2,
    incidents_pb2,
    lineage_pb2,
    policies_pb2,
    signals_pb2,
)
from tests.entrypoints.grpc.support.served import refused
from tests.scenarios.answers import How, Question, Told, not_answered, plain
from tests.scenarios.grpc import forms
from tests.scenarios.grpc.calls import GrpcCalls
from tests.scenarios.messages import in_json

_MOST = 100


@frozen
class GrpcReader:
    calls: GrpcCalls
    how: How

    def ask(self, question: Question) -> Told:
        try:
            return getattr(self, question.what)(*question.about)
        except grpc.aio.AioRpcError as error:
            return not_answered(refused(error).reason)

    def dataset(self, urn: str) -> Told:
        return forms.dataset(in_json(self._one(datasets_pb2.GetDatasetRequest, dataset_urn=urn)))

    def versions(self, urn: str) -> Told:
        request = datasets_pb2.ListDatasetVersionsRequest
        return self._many(request, "versions", forms.dataset, dataset_urn=urn)

    def datasets(self) -> Told:
        return self._many(datasets_pb2.ListDatasetsRequest, "datasets", forms.dataset)

    def retired(self) -> Told:
        request = datasets_pb2.ListDatasetsRequest
        return self._many(request, "datasets", forms.dataset, retired=True)

    def signal(self, urn: str, signal_type: str) -> Told:
        request = signals_pb2.GetSignalStateRequest
        return forms.signal(in_json(self._one(request, dataset_urn=urn, signal_type=signal_type)))

    def signals(self, urn: str) -> Told:
        told = self._one(signals_pb2.GetDatasetSignalsRequest, dataset_urn=urn)
        return [forms.signal(in_json(one)) for one in told.signals]

    def critical(self) -> Told:
        request = signals_pb2.ListSignalsRequest
        return self._many(request, "signals", forms.signal, states=["CRITICAL"])

    def not_ok(self) -> Told:
        return self._many(signals_pb2.ListSignalsRequest, "signals", forms.signal)

    def history(self, urn: str, signal_type: str, since: str, until: str) -> Told:
        moments = (timestamp(datetime.fromisoformat(at)) for at in (since, until))
        return self._many(
            signals_pb2.GetSignalHistoryRequest,
            "evaluations",
            forms.past,
            dataset_urn=urn,
            signal_type=signal_type,
            **dict(zip(("from", "to"), moments, strict=True)),
        )

    def health(self, urn: str) -> Told:
        return forms.health(
            in_json(self._one(signals_pb2.GetDatasetHealthRequest, dataset_urn=urn))
        )

    def incident(self, name: str) -> Told:
        return forms.incident(
            in_json(self._one(incidents_pb2.GetIncidentRequest, incident_id=name))
        )

    def timeline(self, name: str) -> Told:
        request = incidents_pb2.GetIncidentTimelineRequest
        return self._many(request, "timeline", plain, incident_id=name)

    def impact(self, name: str) -> Told:
        request = incidents_pb2.GetIncidentImpactRequest
        return in_json(self._one(request, strong=False, incident_id=name))

    def incidents(self) -> Told:
        return self._incidents()

    def active(self) -> Told:
        return self._incidents(statuses=["OPEN", "ACKNOWLEDGED"])

    def incidents_of(self, urn: str) -> Told:
        return self._incidents(dataset_urn=urn)

    def writers(self, urn: str) -> Told:
        return self._many(lineage_pb2.ListWritersRequest, "entries", plain, urn=urn)

    def readers(self, urn: str) -> Told:
        return self._many(lineage_pb2.ListReadersRequest, "entries", plain, urn=urn)

    def column_writers(self, urn: str) -> Told:
        return self.writers(urn)

    def column_readers(self, urn: str) -> Told:
        return self.readers(urn)

    def downstream(self, urn: str) -> Told:
        request = lineage_pb2.GetDatasetImpactRequest
        return forms.downstream(in_json(self._one(request, strong=False, dataset_urn=urn)))

    def policy(self, urn: str) -> Told:
        return forms.policy(in_json(self._one(policies_pb2.GetPolicyRequest, dataset_urn=urn)))

    def _incidents(self, **wanted: Any) -> Told:
        request = incidents_pb2.ListIncidentsRequest
        return self._many(request, "incidents", forms.incident, **wanted)

    def _many(
        self, request: Any, name: str, form: Callable[[Any], Told], **wanted: Any
    ) -> Sequence[Told]:
        told = self._one(request, strong=False, page_size=_MOST, **wanted)
        assert not told.next_page_token
        return [form(in_json(one)) for one in getattr(told, name)]

    def _one(self, request: Any, *, strong: bool = True, **wanted: Any) -> Any:
        how = self.how
        options = common_pb2.ReadOptions(
            as_of=timestamp(datetime.fromisoformat(how.as_of)) if how.as_of else None,
            min_position=how.min_position,
            strong=strong and how.strong,
        )
        return self.calls.call(request(options=options, **wanted))
