"""Asking for one field over GraphQL."""

from collections.abc import Mapping
from typing import Any

from attrs import define, frozen

from tests.entrypoints.http.api import Api

Variables = Mapping[str, tuple[str, Any]]
"""By name: the type, and the value."""


@define
class Errors(Exception):
    """What is told of an error: its extensions."""

    extensions: dict[str, Any]


@frozen
class GraphqlCalls:
    api: Api

    def ask(self, kind: str, name: str, selection: str, said: Variables) -> Any:
        """Raises Errors."""
        answer = self.api.post("/graphql", self._document(kind, name, selection, said)).json()
        if "errors" in answer:
            (error,) = answer["errors"]
            raise Errors(error["extensions"])
        assert "extensions" not in answer, "a list was cut"
        return answer["data"][name]

    def _document(self, kind: str, name: str, selection: str, said: Variables) -> dict[str, Any]:
        declared = ", ".join(f"${one}: {type_}" for one, (type_, _) in said.items())
        handed = ", ".join(f"{one}: ${one}" for one in said)
        asked = f"{name}({handed}) {selection}" if said else f"{name} {selection}"
        query = f"{kind}({declared}) {{ {asked} }}" if said else f"{kind} {{ {asked} }}"
        return {"query": query, "variables": {one: value for one, (_, value) in said.items()}}
