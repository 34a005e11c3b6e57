"""Whatever is asked, nobody sees an internal error, and nothing is written."""

from collections.abc import Iterator
from typing import Any

import pytest
from graphql import StringValueNode
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis_graphql import queries

from entrypoints.graphql.schema import schema
from tests.entrypoints.graphql.schema_client import Schema
from tests.entrypoints.graphql.test_as_of import EVERYTHING
from tests.entrypoints.http.api import NOW, ORDERS, serving
from tests.entrypoints.http.validation.test_models import peopled
from tests.support.scale import scaled

EXPECTED = {"VALIDATION", "NOT_FOUND", "AS_OF_IN_FUTURE", "GRAPHQL_VALIDATION_FAILED"}

moments = st.datetimes(max_value=NOW.replace(tzinfo=None)).map(lambda at: f"{at.isoformat()}Z")
said = st.one_of(
    st.none(),
    st.text(st.characters(), max_size=30),
    st.sampled_from([ORDERS, "INC-1", "VOLUME", "CONTRACT_COMPLIANCE", "\ud800", "\x00"]),
    moments,
    st.integers(-(2**33), 2**33),
    st.booleans(),
    st.floats(),
    st.lists(st.integers(), max_size=2),
)
nodes = moments.map(lambda text: StringValueNode(value=text))


@pytest.fixture(scope="module")
def asked() -> Iterator[Schema]:
    with serving() as api:
        peopled(api)
        yield Schema(api)


def codes(asked: Schema, query: str, **variables: Any) -> set[str]:
    head = asked.api.head()
    errors = asked.ask(query, **variables).errors or ()
    assert asked.api.head() == head
    return {(error.extensions or {})["code"] for error in errors}


@settings(
    max_examples=scaled(100, 2_000),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(query=queries(schema.as_str(), custom_scalars={"DateTime": nodes}))
def test_any_document_that_fits_the_schema(asked: Schema, query: str) -> None:
    assert codes(asked, query) <= EXPECTED


@settings(max_examples=scaled(25, 5_000))
@given(
    st.fixed_dictionaries(
        {"urn": st.one_of(st.just(ORDERS), said), "from": moments, "to": moments},
        optional={"asOf": said, "position": said},
    )
)
def test_any_variables(asked: Schema, variables: dict[str, Any]) -> None:
    assert codes(asked, EVERYTHING, **variables) <= EXPECTED


FILTER = """query($incidents: IncidentFilter!, $datasets: DatasetFilter!, $page: Pagination) {
  incidents(filter: $incidents, pagination: $page) { pageInfo { endCursor } }
  datasets(filter: $datasets, pagination: $page) { pageInfo { endCursor } }
}"""


@settings(max_examples=scaled(200, 5_000))
@given(
    st.fixed_dictionaries(
        {}, optional={"datasetUrn": said, "ownerTeam": st.text(st.characters()), "from": moments}
    ),
    st.fixed_dictionaries({}, optional={"ownerTeam": st.text(st.characters()), "retired": said}),
    st.fixed_dictionaries({}, optional={"first": said, "after": st.text(st.characters())}),
)
def test_any_filter(
    asked: Schema, incidents: dict[str, Any], datasets: dict[str, Any], page: dict[str, Any]
) -> None:
    found = codes(asked, FILTER, incidents=incidents, datasets=datasets, page=page)
    assert found <= EXPECTED
