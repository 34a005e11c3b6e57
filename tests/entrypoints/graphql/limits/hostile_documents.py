"""Documents that nobody means well with, made from a seed: the same ones for the same seed."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

Request = Any
"""A body, as JSON."""

FIELDS = ("state", "score", "incident { title }", "dataset { tier }", "__typename")
TARGET = 'signalState(datasetUrn: "urn:dp:a:b:v1", signalType: "FRESHNESS")'
NOTE = 'addIncidentNote(incidentId: "INC-1", note: "x")'
VALID = (
    "{ criticalSignals(limit: 3) { state dataset { tier } incident { title } } }",
    "query($n: Int) { criticalSignals(limit: $n) { ...S } } fragment S on SignalState { state }",
    '{ incident(incidentId: "INC-1") { status relatedSignals { state } } }',
    'mutation { addIncidentNote(incidentId: "INC-404", note: "x") { position } }',
    "{ __schema { types { name fields { name } } } }",
    "{ datasets(filter: {tier: TIER_1}, pagination: {first: 2}) { edges { node { tier } } } }",
)
STRANGE = ("\0", "\u202e", "🏃", "\\u0000", "'", '"', '"""', "${jndi:x}", "../../", "%00", "\ufeff")


def documents(seed: int, count: int) -> Iterator[Request]:
    """So many, each of a kind of its own choice."""
    dice = Random(seed)
    for _ in range(count):
        yield dice.choice(KINDS)(dice)


def _size(dice: Random) -> int:
    return int(10 ** dice.uniform(0.3, 3.6))


def deep(dice: Random) -> Request:
    name, levels = dice.choice(("incident", "dataset", "signal", "a", "...")), _size(dice)
    return {"query": "{" + f"{name} {{" * levels + "state" + "}" * levels + "}"}


def unbalanced(dice: Random) -> Request:
    return {"query": "".join(dice.choices('{}[]()!:=@|&$.,#"\\ \n', k=_size(dice)))}


def deep_values(dice: Random) -> Request:
    levels = _size(dice)
    opened, closed = dice.choice((("[", "]"), ("{a:", "}"), ("{filter:", "}")))
    value = opened * levels + "1" + closed * levels
    return {"query": f"{{ criticalSignals(limit: {value}) {{ state }} }}"}


def deep_types(dice: Random) -> Request:
    levels = _size(dice)
    return {"query": f"query($a: {'[' * levels}Int{']' * levels}) {{ __typename }}"}


def wide(dice: Random) -> Request:
    return {"query": "{" + f"{TARGET} {{ state }} " * _size(dice) + "}"}


def repeated(dice: Random) -> Request:
    chosen = " ".join(dice.choices(FIELDS, k=_size(dice)))
    return {"query": f"{{ {TARGET} {{ {chosen} }} }}"}


def aliased(dice: Random) -> Request:
    what = dice.choice((f"{TARGET} {{ state }}", "__typename", "__schema { types { name } }"))
    return {"query": "{" + " ".join(f"a{i}: {what}" for i in range(_size(dice))) + "}"}


def aliased_changes(dice: Random) -> Request:
    """More changes at once than one may ask for."""
    many = " ".join(f"a{i}: {NOTE} {{ position }}" for i in range(21 + _size(dice)))
    return {"query": f"mutation {{ {many} }}"}


def circular(dice: Random) -> Request:
    names = [f"F{i}" for i in range(dice.randint(1, 60))]
    spreads = [" ".join(f"...{dice.choice(names)}" for _ in range(3)) for _ in names]
    bodies = zip(names, spreads, strict=True)
    fragments = " ".join(f"fragment {name} on Query {{ {body} }}" for name, body in bodies)
    return {"query": f"{{ ...F0 }} {fragments}"}


def exponential(dice: Random) -> Request:
    levels, width = dice.randint(2, 90), dice.randint(1, 4)
    spread = [f"fragment F{i} on Query {{ {f'...F{i + 1} ' * width} }}" for i in range(levels)]
    last = f"fragment F{levels} on Query {{ __typename }}"
    return {"query": "{ ...F0 } " + " ".join(spread) + last}


def directed(dice: Random) -> Request:
    what = dice.choice(("@skip(if: true) ", "@include(if: false) ", "@nothing ", "@skip "))
    return {"query": "{ __typename " + what * _size(dice) + "}"}


def costly(dice: Random) -> Request:
    size = dice.choice((10**3, 10**6, 2**31 - 1, 2**31, -1, 10**40))
    query = f"criticalSignals(limit: {size}) {{ incident {{ relatedSignals {{ state }} }} }}"
    if dice.random() < 0.5:
        return {"query": f"{{ {query} }}"}
    asked = query.replace(str(size), "$n")
    return {"query": f"query($n: Int) {{ {asked} }}", "variables": {"n": size % 2**63}}


def introspecting(dice: Random) -> Request:
    inner = "name"
    for _ in range(dice.randint(1, 30)):
        name = dice.choice(("fields", "type", "ofType", "possibleTypes", "interfaces", "args"))
        inner = f"{name} {{ {inner} }}"
    many = " ".join(f"a{i}: __schema {{ types {{ {inner} }} }}" for i in range(dice.randint(1, 9)))
    return {"query": f"{{ {many} }}"}


def long(dice: Random) -> Request:
    text = dice.choice(("x", "\\n", "é", "\\u0041", "🏃")) * (_size(dice) * 40)
    quote = dice.choice(('"', '"""'))
    argument = f"datasetUrn: {quote}{text}{quote}"
    return {"query": f'{{ signalState({argument}, signalType: "x") {{ state }} }}'}


def commented(dice: Random) -> Request:
    return {"query": "# \n" * _size(dice) + "{ __typename }" + "," * _size(dice) * 5}


def strange(dice: Random) -> Request:
    said = "".join(dice.choices(STRANGE, k=dice.randint(1, 30)))
    query = (
        "mutation($i: ID!, $n: String!) { addIncidentNote(incidentId: $i, note: $n) { position } }"
    )
    inside = f'mutation {{ addIncidentNote(incidentId: "{said}", note: "x") {{ position }} }}'
    return dice.choice(
        ({"query": query, "variables": {"i": said, "n": said}}, {"query": inside}, {"query": said})
    )


def wrong_values(dice: Random) -> Request:
    values: tuple[Any, ...] = (
        None,
        True,
        1,
        -1.5,
        1e308,
        "x",
        [],
        {},
        [[[]]],
        {"a": {"b": []}},
        2**63,
        "9" * 5000,
    )
    query = """query($a: Int, $b: DatasetFilter!, $c: DateTime, $d: [Severity!]) {
      criticalSignals(limit: $a, asOf: $c) { state }
      datasets(filter: $b) { edges { cursor } }
    }"""
    variables = {name: dice.choice(values) for name in dice.sample("abcde", k=3)}
    return {"query": query, "variables": variables}


def not_requests(dice: Random) -> Request:
    query = {"query": "{ __typename }"}
    return dice.choice(
        (
            [query] * _size(dice),
            None,
            7,
            "x",
            {"query": None},
            {"query": [query]},
            {**query, "variables": [1]},
            {**query, "operationName": {"a": 1}},
            {**query, "operationName": "x" * _size(dice)},
            {**query, "extensions": "x"},
            {**query, "variables": {f"v{i}": i for i in range(_size(dice))}},
        )
    )


def operations(dice: Random) -> Request:
    many = " ".join(f"query Q{i} {{ __typename }}" for i in range(_size(dice)))
    return {"query": many, "operationName": dice.choice(("Q0", "Q1", "nothing", None))}


def variables(dice: Random) -> Request:
    many = " ".join(f"$v{i}: Int = {i}" for i in range(_size(dice)))
    return {"query": f"query({many}) {{ __typename }}"}


def arguments(dice: Random) -> Request:
    name = dice.choice(("a", "limit", "datasetUrn"))
    many = " ".join(f"{name}{i % 7}: {i}" for i in range(_size(dice)))
    return {"query": f"{{ signalState({many}) {{ state }} }}"}


def mutated(dice: Random) -> Request:
    """Something good with a few words lost, doubled or put elsewhere."""
    words = dice.choice(VALID).replace("{", " { ").replace("}", " } ").split()
    for _ in range(dice.randint(1, 5)):
        at, other = dice.randrange(len(words)), dice.randrange(len(words))
        match dice.randint(0, 3):
            case 0 if len(words) > 1:
                del words[at]
            case 1:
                words.insert(at, words[other])
            case 2:
                words[at], words[other] = words[other], words[at]
            case _:
                words[at] = dice.choice(STRANGE)
    return {"query": " ".join(words)}


def sdl(dice: Random) -> Request:
    said = dice.choice(
        ("type A { a: Int }", "extend type Query { a: Int }", "scalar X", "enum E {A}")
    )
    return {"query": (said + " ") * dice.randint(1, 50) + "{ __typename }"}


KINDS: tuple[Callable[[Random], Request], ...] = (
    deep,
    unbalanced,
    deep_values,
    deep_types,
    wide,
    repeated,
    aliased,
    aliased_changes,
    circular,
    exponential,
    directed,
    costly,
    introspecting,
    long,
    commented,
    strange,
    wrong_values,
    not_requests,
    operations,
    variables,
    arguments,
    mutated,
    mutated,
    sdl,
)
