"""Every field of an incident is shown everywhere, or is listed here as an intended gap."""

import dataclasses
from collections.abc import Collection, Mapping
from typing import Any

import pytest
from attrs import fields
from pydantic import AliasPath
from rich.console import Console

from application.delivery.incident_events import incident_event
from application.incidents.read_model import IncidentView
from application.recorded import Recorded
from domain.stream_categories import incident_stream
from entrypoints.cli.rendering.incidents import drawn_incident
from entrypoints.cli.rendering.screen import Screen
from entrypoints.graphql.incidents.types import Incident as GraphQLIncident
from entrypoints.grpc.messages.incidents_pb2 import Incident as IncidentMessage
from entrypoints.http.incidents.responses import Incident
from statestore_client import Incident as ClientIncident
from tests.adapters.eventstore.examples import FACTS, INCIDENT
from tests.adapters.row_layouts.sample_views import NOON, ORDERS, incident_card

GAPS: Mapping[str, Collection[str]] = {
    "HTTP": (),
    "GraphQL": (
        "elsewhere",  # part of `concerns`
        "ends_at",  # no dashboard needs to know when lists forget it
    ),
    "gRPC": (),
    "client": (),
    "CLI": (  # `--json` shows all of them
        "updated_at",  # the timeline shows it
        "acknowledged_at",  # shown as `noticed in`
        "resolved_at",  # shown as `resolved in`
        "primary_evidence",
        "evidence",
        "ends_at",
        "version",
    ),
}


def _api_names() -> Mapping[str, str]:
    """What the API calls the attributes of the view: HTTP's names, which the others share."""
    return {_attribute(name): name for name in Incident.model_fields}


def _attribute(name: str) -> str:
    alias = Incident.model_fields[name].validation_alias
    if isinstance(alias, AliasPath):
        return str(alias.path[0])
    return alias if isinstance(alias, str) else name


class _Read(dict[str, Any]):
    """A JSON object that remembers which of its fields were read."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        super().__init__(fields)
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.read.add(name)
        return super().__getitem__(name)


def _drawn() -> set[str]:
    shown = _Read(Incident.model_validate(incident_card()).model_dump(mode="json"))
    drawing = drawn_incident({"incident": shown, "timeline": []}, Screen(NOON))
    Console(quiet=True).print(drawing)
    return shown.read


SHOWN: Mapping[str, Collection[str]] = {
    "HTTP": set(Incident.model_fields),
    "GraphQL": {one.name for one in dataclasses.fields(GraphQLIncident)},
    "gRPC": set(IncidentMessage.DESCRIPTOR.fields_by_name),
    "client": {one.name for one in dataclasses.fields(ClientIncident)},
    "CLI": _drawn(),
}


@pytest.mark.parametrize("interface", SHOWN)
def test_shows_every_field_but_the_intended_gaps(interface: str) -> None:
    called = _api_names()
    attributes = [one.name for one in fields(IncidentView)]
    missing = [one for one in attributes if called.get(one) not in SHOWN[interface]]
    assert sorted(missing) == sorted(GAPS[interface])


@pytest.mark.parametrize("name", [name for name in FACTS if name.startswith("incident.")])
def test_events_name_fields_of_the_api(name: str) -> None:
    """A note is no field: it stands in the timeline."""
    fact: Any = FACTS[name]
    recorded = Recorded(1, NOON, incident_stream(INCIDENT), 1, fact, b"", "jane", "")
    changed = incident_event(recorded, fact, ORDERS).told.get("changed_fields", [])
    assert {one.split(".")[0] for one in changed} <= {*Incident.model_fields, "notes"}
