"""GraphQL: everyday changes of incidents, and most reads. Everything else is done over HTTP."""

from typing import Any

from attrs import frozen

from tests.entrypoints.graphql import as_http
from tests.scenarios.answers import Done, How, Outcome, Question, Refused, Told, not_answered
from tests.scenarios.driver import Said
from tests.scenarios.graphql import forms
from tests.scenarios.graphql.calls import Errors, GraphqlCalls
from tests.scenarios.graphql.reader import GraphqlReader
from tests.scenarios.http.driver import HttpDriver

TYPES = {
    "incidentId": "ID!",
    "oncallUser": "String",
    "until": "DateTime!",
    "resolution": "ResolutionInput!",
    "note": "String",
    "reason": "String",
    "expectedVersion": "Int",
}


@frozen
class GraphqlDriver:
    calls: GraphqlCalls
    http: HttpDriver
    """For what GraphQL does not offer."""

    def register(self, said: Said) -> Outcome:
        return self.http.register(said)

    def change_dataset(self, urn: str, said: Said) -> Outcome:
        return self.http.change_dataset(urn, said)

    def retire(self, urn: str) -> Outcome:
        return self.http.retire(urn)

    def restore(self, urn: str) -> Outcome:
        return self.http.restore(urn)

    def declare(self, said: Said) -> Outcome:
        return self.http.declare(said)

    def report(self, urn: str, signal_type: str, said: Said) -> Outcome:
        return self.http.report(urn, signal_type, said)

    def open_incident(self, said: Said) -> Outcome:
        return self.http.open_incident(said)

    def merge(self, incident: str, **said: Any) -> Outcome:
        return self.http.merge(incident, **said)

    def split(self, incident: str, **said: Any) -> Outcome:
        return self.http.split(incident, **said)

    def acknowledge(self, incident: str, **said: Any) -> Outcome:
        return self._changed("acknowledgeIncident", incident, said)

    def assign(self, incident: str, **said: Any) -> Outcome:
        return self._changed("assignIncident", incident, said)

    def note(self, incident: str, **said: Any) -> Outcome:
        return self._changed("addIncidentNote", incident, said, note="String!")

    def snooze(self, incident: str, **said: Any) -> Outcome:
        return self._changed("snoozeIncident", incident, said)

    def wake(self, incident: str) -> Outcome:
        return self._changed("endIncidentSnooze", incident, {})

    def resolve(self, incident: str, **said: Any) -> Outcome:
        return self._changed("resolveIncident", incident, said)

    def reopen(self, incident: str, **said: Any) -> Outcome:
        return self._changed("reopenIncident", incident, said)

    def answers(self, question: Question) -> bool:
        return hasattr(GraphqlReader, question.what)

    def ask(self, question: Question, how: How) -> Told:
        try:
            return getattr(GraphqlReader(self.calls, how), question.what)(*question.about)
        except Errors as refused:
            return not_answered(refused.extensions["code"])

    def as_far_as_told(self, question: Question, told: Told) -> Told:
        return forms.known(question.what, told)

    def _changed(self, mutation: str, incident: str, said: Said, **types: str) -> Outcome:
        known = {**TYPES, **types}
        handed = as_http.renamed({"incident_id": incident, **said})
        variables = {name: (known[name], value) for name, value in handed.items()}
        selection = f"{{ incident {as_http.INCIDENT} position }}"
        try:
            told = self.calls.ask("mutation", mutation, selection, variables)
        except Errors as refused:
            return _refused(forms.snake(refused.extensions))
        return Done(forms.incident(told["incident"]), told["position"])


def _refused(told: Any) -> Refused:
    return Refused(
        told["code"],
        {_in_snake(one["field"]): one["code"] for one in told.get("violations", ())},
        told.get("current_version"),
        told.get("current_status"),
    )


def _in_snake(name: str) -> str:
    (named,) = forms.snake({name: None})
    return str(named)
