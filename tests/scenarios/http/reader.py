"""Everything that can be read, as HTTP tells it."""

from typing import Any

from attrs import frozen

from tests.entrypoints.http.api import Api
from tests.scenarios.answers import How, Told, not_answered, plain, without

_MOST = {"page_size": 100}


@frozen
class HttpReader:
    api: Api
    how: How

    def dataset(self, urn: str) -> Told:
        return self._one(f"/datasets/{urn}")

    def versions(self, urn: str) -> Told:
        return self._many(f"/datasets/{urn}/versions", "versions")

    def datasets(self) -> Told:
        return self._many("/datasets", "datasets")

    def retired(self) -> Told:
        return self._many("/datasets", "datasets", retired=True)

    def signal(self, urn: str, signal_type: str) -> Told:
        return self._one(f"/datasets/{urn}/signals/{signal_type}")

    def signals(self, urn: str) -> Told:
        return self._all(f"/datasets/{urn}/signals", "signals")

    def critical(self) -> Told:
        return self._many("/signals", "signals", state="CRITICAL")

    def not_ok(self) -> Told:
        return self._many("/signals", "signals")

    def history(self, urn: str, signal_type: str, since: str, until: str) -> Told:
        path = f"/datasets/{urn}/signals/{signal_type}/history"
        return self._many(path, "evaluations", **{"from": since, "to": until})

    def health(self, urn: str) -> Told:
        """Without how many signals are in which state, which the signals tell."""
        told = self._one(f"/datasets/{urn}/health")
        return without(told, "counts", "position", "age_seconds")

    def incident(self, name: str) -> Told:
        return self._one(f"/incidents/{name}")

    def timeline(self, name: str) -> Told:
        return self._many(f"/incidents/{name}/timeline", "timeline")

    def impact(self, name: str) -> Told:
        return self._one(f"/incidents/{name}/impact", strong=False)

    def incidents(self) -> Told:
        return self._many("/incidents", "incidents")

    def active(self) -> Told:
        return self._many("/incidents", "incidents", status=["OPEN", "ACKNOWLEDGED"])

    def incidents_of(self, urn: str) -> Told:
        return self._many("/incidents", "incidents", dataset_urn=urn)

    def writers(self, urn: str) -> Told:
        return self._many(f"/datasets/{urn}/writers", "writers")

    def readers(self, urn: str) -> Told:
        return self._many(f"/datasets/{urn}/readers", "readers")

    def column_writers(self, urn: str) -> Told:
        return self._many(f"/columns/{urn}/writers", "writers")

    def column_readers(self, urn: str) -> Told:
        return self._many(f"/columns/{urn}/readers", "readers")

    def downstream(self, urn: str) -> Told:
        return self._one(f"/datasets/{urn}/impact", strong=False)

    def policy(self, urn: str) -> Told:
        return self._one(f"/policies/{urn}")

    def _many(self, path: str, name: str, **wanted: Any) -> Told:
        return self._all(path, name, strong=False, **_MOST, **wanted)

    def _all(self, path: str, name: str, *, strong: bool = True, **wanted: Any) -> Told:
        told = self._one(path, strong=strong, **wanted)
        assert not told.get("next_page_token")
        return told.get(name, told)

    def _one(self, path: str, *, strong: bool = True, **wanted: Any) -> Told:
        said = {"as_of": self.how.as_of, "min_position": self.how.min_position}
        if strong and self.how.strong:
            said["consistency"] = "strong"
        asked = {name: value for name, value in said.items() if value}
        answer = self.api.get(f"/api/v1{path}", params={**asked, **wanted})
        told = answer.json()
        return plain(told) if answer.is_success else not_answered(told["code"])
