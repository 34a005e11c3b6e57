"""
What GraphQL tells, in the form of HTTP.

It does not tell of old versions of datasets, of all that is not OK, of health, of what lies
downstream, and of policies: there is no method for these.
"""

from typing import Any

from attrs import frozen

from tests.entrypoints.graphql import as_http
from tests.scenarios.answers import How, Told, not_answered
from tests.scenarios.graphql import forms
from tests.scenarios.graphql.calls import GraphqlCalls, Variables

PAST = """{
  state score declaredSloThreshold windowStart windowEnd windowType
  metrics { evidenceCount passCount failCount }
  failureSignature topProducer { producerId version confidence }
  evidenceSample evaluatedAt recordedAt wasCurrent version position
}"""
ENTRY = "{ at actor eventType details version position eventId causationId requestId }"


@frozen
class GraphqlReader:
    calls: GraphqlCalls
    how: How

    def dataset(self, urn: str) -> Told:
        return self._one("dataset", as_http.DATASET, forms.dataset, urn=("String!", urn))

    def datasets(self) -> Told:
        return self._datasets({})

    def retired(self) -> Told:
        return self._datasets({"retired": True})

    def signal(self, urn: str, signal_type: str) -> Told:
        return self._one(
            "signalState",
            as_http.SIGNAL,
            forms.signal,
            datasetUrn=("String!", urn),
            signalType=("String!", signal_type),
        )

    def signals(self, urn: str) -> Told:
        about: Any = ("String!", urn)
        return self._all("datasetSignals", as_http.SIGNAL, forms.signal, datasetUrn=about)

    def critical(self) -> Told:
        return self._all("criticalSignals", as_http.SIGNAL, forms.signal)

    def history(self, urn: str, signal_type: str, since: str, until: str) -> Told:
        span = {"from": ("DateTime!", since), "to": ("DateTime!", until)}
        about = {"datasetUrn": ("String!", urn), "signalType": ("String!", signal_type)}
        return self._all("signalHistory", PAST, forms.past, **about, **span)

    def incident(self, name: str) -> Told:
        return self._one("incident", as_http.INCIDENT, forms.incident, incidentId=("ID!", name))

    def timeline(self, name: str) -> Told:
        about: Any = ("ID!", name)
        return self._page("incidentTimeline", ENTRY, forms.entry, incidentId=about)

    def incidents(self) -> Told:
        return self._incidents({})

    def active(self) -> Told:
        return self._all("activeIncidents", as_http.INCIDENT, forms.incident)

    def incidents_of(self, urn: str) -> Told:
        return self._incidents({"datasetUrn": urn})

    def writers(self, urn: str) -> Told:
        return self._lineage("datasetWriters", datasetUrn=("String!", urn))

    def readers(self, urn: str) -> Told:
        return self._lineage("datasetReaders", datasetUrn=("String!", urn))

    def column_writers(self, urn: str) -> Told:
        return self._lineage("columnWriters", columnUrn=("String!", urn))

    def column_readers(self, urn: str) -> Told:
        return self._lineage("columnReaders", columnUrn=("String!", urn))

    def _datasets(self, wanted: Any) -> Told:
        about: Any = ("DatasetFilter!", wanted)
        return self._page("datasets", as_http.DATASET, forms.dataset, filter=about)

    def _incidents(self, wanted: Any) -> Told:
        about: Any = ("IncidentFilter!", wanted)
        return self._page("incidents", as_http.INCIDENT, forms.incident, filter=about)

    def _lineage(self, name: str, **about: Any) -> Told:
        return self._all(name, as_http.ENTRY, forms.snake, **about)

    def _one(self, name: str, selection: str, form: forms.Form, **about: Any) -> Told:
        """Nothing, where HTTP says that there is no such thing."""
        told = self._asked(name, selection, about)
        return told if forms.is_refused(told) else form(told)

    def _all(self, name: str, selection: str, form: forms.Form, **about: Any) -> Told:
        told = self._asked(name, selection, about)
        return told if forms.is_refused(told) else list(map(form, told))

    def _page(self, name: str, selection: str, form: forms.Form, **about: Any) -> Told:
        page = ("Pagination", {"first": 100})
        selected = f"{{ edges {{ node {selection} }} pageInfo {{ hasNextPage }} }}"
        told = self._asked(name, selected, {**about, "pagination": page})
        if forms.is_refused(told):
            return told
        assert not told["pageInfo"]["hasNextPage"]
        return [form(edge["node"]) for edge in told["edges"]]

    def _asked(self, name: str, selection: str, about: Variables) -> Told:
        said = {
            "asOf": ("DateTime", self.how.as_of),
            "minPosition": ("String", self.how.min_position),
        }
        how = {one: value for one, value in said.items() if value[1]}
        told = self.calls.ask("query", name, selection, {**about, **how})
        return not_answered("NOT_FOUND") if told is None else told
