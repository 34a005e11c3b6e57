"""
The structure of the public interfaces: OpenAPI, GraphQL, the published events.

Other tests compare `docs/openapi.json` and `docs/schema.graphql` with what the server serves. The
structure of the gRPC contract is recorded in `protos/contract.json`; `tests/tools/test_protos.py`
compares it.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from graphql import build_schema, lexicographic_sort_schema, print_schema

from tests.golden.golden import Golden

DOCS = Path(__file__).parents[2] / "docs"

PROSE = frozenset({"description", "summary", "example", "examples", "title"})
BY_NAME = frozenset({"$defs", "content", "headers", "paths", "properties", "responses", "schemas"})
"""Maps whose keys are names: a property may be called `title`."""
LITERAL = frozenset({"const", "default", "enum", "security"})


def structure(node: Any) -> Any:
    """A JSON Schema or an OpenAPI document without its prose."""
    if isinstance(node, list):
        return [structure(one) for one in node]
    if not isinstance(node, dict):
        return node
    return {name: _part(name, value) for name, value in node.items() if name not in PROSE}


def _part(name: str, value: Any) -> Any:
    if name in LITERAL:
        return value
    if name == "required" and isinstance(value, list):
        return sorted(value)
    if name in BY_NAME and isinstance(value, Mapping):
        return {key: structure(one) for key, one in value.items()}
    return structure(value)


def sdl_structure(sdl: str) -> str:
    """A GraphQL schema without descriptions, in alphabetical order."""
    schema = lexicographic_sort_schema(build_schema(sdl))
    for named in schema.type_map.values():
        for described in _described(named):
            described.description = None
    return print_schema(schema)


def _described(named: Any) -> Iterator[Any]:
    """A type, its fields or values, and their arguments."""
    yield named
    for field in getattr(named, "fields", {}).values():
        yield field
        yield from getattr(field, "args", {}).values()
    yield from getattr(named, "values", {}).values()


def test_the_http_api(golden: Golden) -> None:
    golden.json("openapi.json", structure(json.loads((DOCS / "openapi.json").read_text())))


def test_the_graphql_schema(golden: Golden) -> None:
    golden.text("schema.graphql", sdl_structure((DOCS / "schema.graphql").read_text()))


def test_published_events(golden: Golden) -> None:
    golden.json("events.json", structure(json.loads((DOCS / "events.schema.json").read_text())))


def test_prose_is_no_structure() -> None:
    described = {"title": "T", "properties": {"title": {"type": "string", "description": "D"}}}
    assert structure(described) == {"properties": {"title": {"type": "string"}}}
    sdl = '"""D"""\ntype Query {\n  """D"""\n  a("""D""" b: Int): Int\n}'
    assert sdl_structure(sdl) == "type Query {\n  a(b: Int): Int\n}"
