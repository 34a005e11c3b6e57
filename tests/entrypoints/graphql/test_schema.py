"""The schema is the design's, and nothing that was released is broken."""

import subprocess
import sys
from enum import Enum
from pathlib import Path

import pytest
from graphql import (
    BreakingChangeType,
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLObjectType,
    GraphQLSchema,
    build_schema,
    find_breaking_changes,
)

from domain.dataset import config
from domain.incident import values
from entrypoints.graphql import enums
from entrypoints.graphql.schema import schema
from tests.entrypoints.graphql.specified_schema import ARGUMENTS, TYPES, WORDS

DOCS = Path(__file__).parents[3] / "docs"
RELEASED = DOCS / "released" / "schema.graphql"


@pytest.fixture(scope="module")
def served() -> GraphQLSchema:
    return build_schema(schema.as_str())


@pytest.mark.parametrize("name", TYPES)
def test_types_are_the_designs(served: GraphQLSchema, name: str) -> None:
    """S0-181, S0-184..S0-186"""
    kind = served.type_map[name]
    assert isinstance(kind, GraphQLObjectType | GraphQLInputObjectType)
    told = {field: str(kind.fields[field].type) for field in TYPES[name] if field in kind.fields}
    assert told == TYPES[name]


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments_are_the_designs(served: GraphQLSchema, name: str) -> None:
    """S0-170..S0-180; whatever else can be said may be left out."""
    assert served.query_type
    arguments = served.query_type.fields[name].args
    told = {one: str(arguments[one].type) for one in ARGUMENTS[name] if one in arguments}
    assert told == ARGUMENTS[name]
    more = {one: str(arguments[one].type) for one in arguments if one not in ARGUMENTS[name]}
    assert more == {"asOf": "DateTime", "minPosition": "String"}


def test_a_hundred_critical_signals_unless_more_are_wanted(served: GraphQLSchema) -> None:
    """S0-172"""
    assert "limit: Int = 100" in schema.as_str()


@pytest.mark.parametrize("name", WORDS)
def test_words_are_the_designs(served: GraphQLSchema, name: str) -> None:
    """S0-188"""
    kind = served.type_map[name]
    assert isinstance(kind, GraphQLEnumType)
    assert tuple(kind.values) == WORDS[name]


@pytest.mark.parametrize(
    ("word", "domain", "never_told"),
    [
        (enums.IncidentStatus, values.IncidentStatus, {"UNOPENED"}),
        (enums.DatasetStatus, config.DatasetStatus, {"UNREGISTERED"}),
    ],
)
def test_words_are_the_domains(word: type[Enum], domain: type[Enum], never_told: set[str]) -> None:
    assert {one.value for one in word} == {one.value for one in domain} - never_told


def test_nothing_that_was_released_is_broken(served: GraphQLSchema) -> None:
    released = build_schema(RELEASED.read_text())
    assert [one.description for one in find_breaking_changes(released, served)] == []


def test_a_break_would_be_found() -> None:
    released = build_schema(RELEASED.read_text())
    other = build_schema(RELEASED.read_text().replace("score: Float!", "score: Float"))
    assert {one.type for one in find_breaking_changes(released, other)} == {
        BreakingChangeType.FIELD_CHANGED_KIND
    }


def test_commands_start_without_the_library() -> None:
    """It takes long to import."""
    seen = (
        "import entrypoints.cli.app, entrypoints.container, sys; print('strawberry' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", seen], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"
