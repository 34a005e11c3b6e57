"""HTTP: every step and every read."""

from typing import Any

import httpx
from attrs import frozen

from tests.entrypoints.http.api import Api, fields
from tests.scenarios.answers import Done, How, Outcome, Question, Refused, Told, plain
from tests.scenarios.driver import Said
from tests.scenarios.http.reader import HttpReader

ALL = "/api/v1"


@frozen
class HttpDriver:
    api: Api

    def register(self, said: Said) -> Outcome:
        return self._sent("POST", "/datasets", said)

    def change_dataset(self, urn: str, said: Said) -> Outcome:
        return self._sent("PUT", f"/datasets/{urn}", said)

    def retire(self, urn: str) -> Outcome:
        return self._sent("DELETE", f"/datasets/{urn}")

    def restore(self, urn: str) -> Outcome:
        return self._sent("POST", f"/datasets/{urn}/restore")

    def declare(self, said: Said) -> Outcome:
        return self._sent("PUT", f"/lineage/specs/{said['spec_id']}", said)

    def report(self, urn: str, signal_type: str, said: Said) -> Outcome:
        return self._sent("PUT", f"/datasets/{urn}/signals/{signal_type}", said)

    def open_incident(self, said: Said) -> Outcome:
        return self._sent("POST", "/incidents", said)

    def acknowledge(self, incident: str, **said: Any) -> Outcome:
        return self._changed(incident, status="ACKNOWLEDGED", **said)

    def assign(self, incident: str, **said: Any) -> Outcome:
        return self._changed(incident, **said)

    def note(self, incident: str, **said: Any) -> Outcome:
        return self._changed(incident, **said)

    def snooze(self, incident: str, **said: Any) -> Outcome:
        return self._sent("POST", f"/incidents/{incident}/snooze", said)

    def wake(self, incident: str) -> Outcome:
        return self._sent("DELETE", f"/incidents/{incident}/snooze")

    def resolve(self, incident: str, **said: Any) -> Outcome:
        return self._changed(incident, status="RESOLVED", **said)

    def reopen(self, incident: str, **said: Any) -> Outcome:
        return self._sent("POST", f"/incidents/{incident}/reopen", said)

    def merge(self, incident: str, **said: Any) -> Outcome:
        return self._sent("POST", f"/incidents/{incident}/merge", said)

    def split(self, incident: str, **said: Any) -> Outcome:
        return self._sent("POST", f"/incidents/{incident}/split", said)

    def answers(self, question: Question) -> bool:
        return True

    def ask(self, question: Question, how: How) -> Told:
        return getattr(HttpReader(self.api, how), question.what)(*question.about)

    def as_far_as_told(self, question: Question, told: Told) -> Told:
        return told

    def _changed(self, incident: str, **said: Any) -> Outcome:
        return self._sent("PATCH", f"/incidents/{incident}", said)

    def _sent(self, method: str, path: str, said: Said | None = None) -> Outcome:
        more = {} if said is None else {"json": said}
        answer = self.api.ask(method, ALL + path, **more)
        if answer.is_success:
            return Done(plain(answer.json()), answer.headers["Statestore-Position"])
        return _refused(answer)


def _refused(answer: httpx.Response) -> Refused:
    told = answer.json()
    return Refused(
        told["code"],
        fields(answer) if "violations" in told else {},
        told.get("current_version"),
        told.get("current_status"),
    )
