"""How much one document may ask for: each limit is met exactly, and what passes it is refused."""

from collections.abc import Callable
from typing import Any

import pytest
from graphql import GraphQLSchema, OperationDefinitionNode, build_schema, get_introspection_query
from graphql import parse as parsed

from entrypoints.graphql.limits.costs import Costs
from entrypoints.graphql.limits.limits import Limits, TooMuchAsked
from entrypoints.graphql.schema import schema as ours
from entrypoints.graphql.transport.document_cache import (
    LONGEST_REMEMBERED,
    MOST_CHARACTERS,
    REMEMBERED,
    Documents,
)
from entrypoints.graphql.transport.refusals import Refusal

TOY = """
type Query {
  thing(limit: Int): Thing
  things(limit: Int): [Thing!]!
  plain: [Thing!]!
  paged(first: Int, pagination: Pagination): Connection!
}
type Thing { name: String names: [String!]! other: Thing others: [Thing!]! }
type Connection { edges: [Edge!]! total: Int }
type Edge { node: Thing }
input Pagination { first: Int limit: Int }
"""

Make = Callable[[int], str]


@pytest.fixture(scope="module")
def schema() -> GraphQLSchema:
    return build_schema(TOY)


def fragments(count: int) -> str:
    names = [f"F{i}" for i in range(count)]
    spreads = " ".join(f"...{name}" for name in names)
    return f"{{ {spreads} }} " + " ".join(f"fragment {n} on Query {{ __typename }}" for n in names)


def doubling(levels: int) -> str:
    """2 ** levels fields, were every fragment written out."""
    each = [f"fragment F{i} on Thing {{ ...F{i + 1} ...F{i + 1} }}" for i in range(levels)]
    last = f"fragment F{levels} on Thing {{ name }}"
    return "{ thing { ...F0 } } " + " ".join(each) + last


MADE: dict[str, tuple[str, Make]] = {
    "depth": ("QUERY_TOO_DEEP", lambda n: "{ thing {" + "other {" * (n - 2) + "name" + "}" * n),
    "length": ("TOO_LONG", "{ __typename }".ljust),
    "tokens": ("TOO_LONG", lambda n: "{" + "__typename " * (n - 2) + "}"),
    "comments": ("TOO_LONG", lambda n: "#\n" * n + "{ __typename }"),
    "operations": (
        "TOO_MANY_OPERATIONS",
        lambda n: " ".join(f"query Q{i} {{ __typename }}" for i in range(n)),
    ),
    "fragments": ("TOO_MANY_FRAGMENTS", fragments),
    "root_fields": ("TOO_MANY_ROOT_FIELDS", lambda n: "{" + "__typename " * n + "}"),
    "aliases": (
        "TOO_MANY_ALIASES",
        lambda n: "{ thing {" + " ".join(f"a{i}: name" for i in range(n)) + "} }",
    ),
    "directives": (
        "TOO_MANY_DIRECTIVES",
        lambda n: "{ thing {" + "name @skip(if: true) " * n + "} }",
    ),
    "selections": ("TOO_MANY_SELECTIONS", lambda n: "{ thing {" + "name " * (n - 1) + "} }"),
    "repeats": ("TOO_MANY_REPEATS", lambda n: "{ thing {" + "name " * n + "} }"),
}


def refused(schema: GraphQLSchema, limits: Limits, text: str) -> str | None:
    try:
        Documents(schema, limits).read(text)
    except Refusal as refusal:
        extensions: Any = refusal.errors[0].extensions
        return str(extensions.get("code", refusal.errors[0].message))
    return None


@pytest.mark.parametrize("limit", MADE)
@pytest.mark.parametrize("most", [5, 12])
def test_a_limit_is_met_exactly(schema: GraphQLSchema, limit: str, most: int) -> None:
    code, made = MADE[limit]
    wide = dict.fromkeys(MADE, 100_000)
    least = 20 if limit == "length" else most
    limits = Limits(**{**wide, limit: least})
    assert refused(schema, limits, made(least)) is None
    assert refused(schema, limits, made(least + 1)) == code


@pytest.mark.parametrize("limit", MADE)
def test_the_limits_that_there_are_stop_what_is_beyond_them(
    schema: GraphQLSchema, limit: str
) -> None:
    code, made = MADE[limit]
    beyond = made(getattr(Limits(), limit) + 1)
    assert refused(schema, Limits(), beyond) in (code, "TOO_MANY_REPEATS", "TOO_MANY_ROOT_FIELDS")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (doubling(30), "TOO_MANY_"),
        ("{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }", "within itself"),
        ("{ thing { ...A } } fragment A on Thing { other { ...A } }", "within itself"),
        ("{" + "...{" * 900 + "__typename" + "}" * 901, "QUERY_TOO_DEEP"),
        ("{ things(limit: " + "[" * 900 + "]" * 900 + ") { name } }", "QUERY_TOO_DEEP"),
    ],
)
def test_what_has_no_end_ends(schema: GraphQLSchema, text: str, said: str) -> None:
    assert said in str(refused(schema, Limits(), text))


def test_depth_is_that_of_the_fields_however_they_are_spread(schema: GraphQLSchema) -> None:
    limits = Limits(depth=3)
    through = "{ thing { ...A } } fragment A on Thing { ... { other { ... { %s } } } }"
    assert refused(schema, limits, through % "name") is None
    assert refused(schema, limits, through % "other { name }") == "QUERY_TOO_DEEP"


def test_tools_can_ask_about_the_schema() -> None:
    asked = get_introspection_query(specified_by_url=True, input_value_deprecation=True)
    document = Documents(ours._schema, Limits()).read(asked)
    (operation,) = (one for one in document.definitions if isinstance(one, OperationDefinitionNode))
    # However little else may cost: without it, no tool works.
    Costs(ours._schema, 1).check(document, operation, {})


def test_questions_about_the_schema_are_bounded_apart() -> None:
    types = "types { fields { args { type { name } } type { fields { name } } } }"
    many = "{" + " ".join(f"a{number}: __schema {{ {types} }}" for number in range(50)) + "}"
    document = parsed(many)
    (operation,) = document.definitions
    assert isinstance(operation, OperationDefinitionNode)
    with pytest.raises(TooMuchAsked):
        Costs(ours._schema, 10**9).check(document, operation, {})


def cost(schema: GraphQLSchema, text: str, **variables: Any) -> int:
    """The least limit that lets it pass."""
    document = parsed(text)
    operation = document.definitions[0]
    assert isinstance(operation, OperationDefinitionNode)
    low, high = 0, 10**9
    while low < high:
        most = (low + high) // 2
        try:
            Costs(schema, most).check(document, operation, variables)
        except TooMuchAsked:
            low = most + 1
        else:
            high = most
    return low


@pytest.mark.parametrize(
    ("text", "variables", "expected"),
    [
        ("{ thing { name } }", {}, 2),
        ("{ thing { name names } }", {}, 3),
        ("{ things(limit: 3) { name } }", {}, 1 + 3),
        ("query($n: Int) { things(limit: $n) { name } }", {"n": 3}, 1 + 3),
        ("query($n: Int) { things(limit: $n) { name } }", {"n": "x"}, 1 + 100),
        ("query($n: Int) { things(limit: $n) { name } }", {}, 1 + 100),
        ("query($n: Int) { things(limit: $n) { name } }", {"n": 3.0}, 1 + 3),
        ("query($n: Int) { things(limit: $n) { name } }", {"n": float("inf")}, 1 + 100),
        ("query($n: Int = 300) { things(limit: $n) { name } }", {}, 1 + 300),
        ("query($n: Int = 300) { things(limit: $n) { name } }", {"n": 3}, 1 + 3),
        ("query($n: Int = 300) { things(limit: $n) { name } }", {"n": None}, 1 + 100),
        (
            "query($p: Pagination = {first: 9}) { paged(pagination: $p) { edges { __typename } } }",
            {},
            1 + 1 + 9,
        ),
        ("{ things(limit: 3) { others { name } } }", {}, 1 + 3 + 3 * 10),
        ("{ plain { name } }", {}, 1 + 100),
        ("{ paged(first: 4) { total edges { node { name } } } }", {}, 1 + 2 + 4 * 2),
        ("{ paged(pagination: {first: 4}) { edges { node { name } } } }", {}, 1 + 1 + 4 * 2),
        ("{ paged { edges { node { name } } } }", {}, 1 + 1 + 10 * 2),
        (
            "query($p: Pagination) { paged(pagination: $p) { edges { node { name } } } }",
            {"p": {"limit": 4}},
            1 + 1 + 4 * 2,
        ),
        ("{ things(limit: -5) { name } }", {}, 1 + 1),
        ("{ things(limit: 3) { ...A } } fragment A on Thing { name other { name } }", {}, 1 + 9),
        ("{ things(limit: 3) { ... on Thing { name } } }", {}, 1 + 3),
        ("{ a: things(limit: 3) { name } b: things(limit: 3) { name } }", {}, 2 * (1 + 3)),
    ],
)
def test_what_a_question_costs(
    schema: GraphQLSchema, text: str, variables: dict[str, Any], expected: int
) -> None:
    assert cost(schema, text, **variables) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{ criticalSignals { state dataset { tier } } }", 1 + 100 * 3),
        ("{ datasets(filter: {}) { edges { node { tier } } } }", 1 + 1 + 50 * 2),
        ("{ datasets(filter: {}, pagination: null) { edges { cursor } } }", 1 + 1 + 50),
        ("{ datasets(filter: {}, pagination: {first: null}) { edges { cursor } } }", 1 + 1 + 50),
        ("query($n: Int) { criticalSignals(limit: $n) { state } }", 1 + 100),
        ("{ criticalSignals(limit: null) { state } }", 1 + 100),
        ("{ datasets(filter: {}, pagination: {first: 3}) { edges { cursor } } }", 1 + 1 + 3),
        ("subscription { signalChanges { state signal { state } } }", 1 + 3),
    ],
)
def test_what_is_not_said_counts_as_the_schema_says(text: str, expected: int) -> None:
    assert cost(ours._schema, text) == expected


def test_good_documents_are_remembered_and_only_so_many(schema: GraphQLSchema) -> None:
    documents = Documents(schema, Limits())
    first = documents.read("{ thing { name } }")
    assert documents.read("{ thing { name } }") is first
    for number in range(REMEMBERED - 1):
        documents.read(f"query Q{number} {{ thing {{ name }} }}")
    assert documents.read("{ thing { name } }") is first
    documents.read("query One { thing { name } }")
    assert documents.read("{ thing { name } }") is first
    documents.read("query Other { thing { name } }")
    forgotten = documents.read("query Q1 { thing { name } }")
    assert documents.read("query Q1 { thing { name } }") is forgotten
    long = "{ thing { name } }".ljust(LONGEST_REMEMBERED + 1)
    assert documents.read(long) is not documents.read(long)


def test_what_is_remembered_is_bounded_however_long_documents_are(schema: GraphQLSchema) -> None:
    documents = Documents(schema, Limits())
    texts = [f"query Q{number} {{ thing {{ name }} }}".ljust(10_000) for number in range(60)]
    read = [documents.read(text) for text in texts]
    kept = MOST_CHARACTERS // 10_000
    newest = list(zip(texts, read, strict=True))[-kept:]
    assert all(documents.read(text) is known for text, known in newest)
    assert documents.read(texts[-kept - 1]) is not read[-kept - 1]
