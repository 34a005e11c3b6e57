"""
What a question may cost: how many values its answer could have at most.

Each field is one value, and what is asked of the items of a list counts for each of them:

    criticalSignals(limit: 100) { state dataset { tier } }     1 + 100 * (1 + 1 + 1) = 301

A list has as many items as its size argument says (`limit`, `first`, `last`, `pagination`), or as
its connection's; where nothing says so, some are assumed. It is not known before how many there
are: an answer may have less, and where nothing says so, more, up to what the list is cut at.
Questions about the schema itself are counted apart, by its real size.
"""

from collections.abc import Mapping
from math import ceil
from typing import Any

from attrs import define, field, frozen
from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLField,
    GraphQLSchema,
    InlineFragmentNode,
    IntValueNode,
    ObjectValueNode,
    OperationDefinitionNode,
    SelectionSetNode,
    ValueNode,
    VariableNode,
    get_named_type,
    get_nullable_type,
    is_list_type,
)

from entrypoints.graphql.limits.depth_and_width import INTROSPECTION, fragments_of
from entrypoints.graphql.limits.limits import TooMuchAsked

SIZES = ("limit", "first", "last")
PAGINATION = "pagination"
AT_ROOT = 100
"""Items of a list that nothing says the size of, at the root of an operation."""
WITHIN = 10
"""The same, of a list that belongs to something."""
ABOUT_THE_SCHEMA = 100_000
"""More than twice what tools ask for. It is no setting: without it, no tool works."""


@define
class Costs:
    schema: GraphQLSchema
    most: int
    _introspection: Mapping[str, int] = field(init=False)

    @_introspection.default
    def _sizes(self) -> Mapping[str, int]:
        return _introspection_sizes(self.schema)

    def check(
        self,
        document: DocumentNode,
        operation: OperationDefinitionNode,
        variables: Mapping[str, Any],
    ) -> None:
        """Raises TooMuchAsked. The document's shape was checked, and it is valid."""
        root = self.schema.get_root_type(operation.operation)
        said = {**_defaults(operation), **variables}
        known = (self.schema, self._introspection, fragments_of(document), said)
        counting = _Counting(*known, self.most, apart=_Counting(*known, ABOUT_THE_SCHEMA))
        counting.count(root, operation.selection_set, _Place(assumed=AT_ROOT))


@frozen
class _Place:
    """How often what is chosen there is told, and how long lists there are."""

    times: int = 1
    size: int | None = None
    assumed: int = WITHIN


@define
class _Counting:
    """`apart` counts what is asked about the schema."""

    schema: GraphQLSchema
    introspection: Mapping[str, int]
    fragments: Mapping[str, FragmentDefinitionNode]
    variables: Mapping[str, Any]
    most: int
    apart: "_Counting | None" = None
    cost: int = 0

    def count(self, parent: Any, chosen: SelectionSetNode, place: _Place) -> None:
        for one in chosen.selections:
            match one:
                case FieldNode():
                    self._field(parent, one, place)
                case FragmentSpreadNode():
                    fragment = self.fragments[one.name.value]
                    on = self.schema.get_type(fragment.type_condition.name.value)
                    self.count(on, fragment.selection_set, place)
                case InlineFragmentNode():
                    said = one.type_condition
                    on = parent if said is None else self.schema.get_type(said.name.value)
                    self.count(on, one.selection_set, place)

    def _field(self, parent: Any, node: FieldNode, place: _Place) -> None:
        if self.apart is not None and node.name.value in INTROSPECTION:
            self.apart._field(parent, node, place)
            return
        self.cost += place.times
        if self.cost > self.most:
            raise TooMuchAsked("QUERY_TOO_COSTLY", "values that the answer could have", self.most)
        declared = self.schema.get_field(parent, node.name.value)
        if declared is None or node.selection_set is None:
            return
        said = _said_size(declared, node, self.variables)
        if is_list_type(get_nullable_type(declared.type)):
            known = said if said is not None else place.size
            items = place.assumed if known is None else known
            if parent.name.startswith("__"):
                items = self.introspection[node.name.value]
            within = _Place(place.times * max(1, items))
        else:
            # A connection's size is that of the list in it.
            within = _Place(place.times, said)
        self.count(get_named_type(declared.type), node.selection_set, within)


def _said_size(declared: GraphQLField, node: FieldNode, variables: Mapping[str, Any]) -> int | None:
    said = {one.name.value: _value(one.value, variables) for one in node.arguments or ()}
    size = _size_in(said, declared.args)
    if size is not None or PAGINATION not in declared.args:
        return size
    parts = getattr(get_nullable_type(declared.args[PAGINATION].type), "fields", {})
    pagination = said.get(PAGINATION)
    return _size_in(pagination if isinstance(pagination, Mapping) else {}, parts)


def _size_in(said: Mapping[str, Any], declared: Mapping[str, Any]) -> int | None:
    """What was said, or what counts if nothing was."""
    for name in SIZES:
        if name in declared:
            # Null stands for the default, as it does for those who answer.
            for size in (_number(said.get(name)), _number(declared[name].default_value)):
                if size is not None:
                    return size
    return None


def _defaults(operation: OperationDefinitionNode) -> Mapping[str, Any]:
    """Of variables, for whoever leaves them out."""
    return {
        one.variable.name.value: _value(one.default_value, {})
        for one in operation.variable_definitions or ()
        if one.default_value is not None
    }


def _value(node: ValueNode, variables: Mapping[str, Any]) -> Any:
    """As far as sizes are concerned."""
    match node:
        case VariableNode():
            return variables.get(node.name.value)
        case IntValueNode():
            # Longer numbers are refused, but not here; nor are they worth reading.
            return int(node.value[:12])
        case ObjectValueNode():
            return {one.name.value: _value(one.value, variables) for one in node.fields}
        case _:
            return None


def _number(value: Any) -> int | None:
    """An Int may be said as 100.0, too."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _introspection_sizes(schema: GraphQLSchema) -> Mapping[str, int]:
    """How long the lists are that a schema tells of itself, on average."""
    types = schema.type_map.values()
    fields = [one for kind in types for one in getattr(kind, "fields", {}).values()]
    arguments = [one for each in fields for one in getattr(each, "args", {})]
    values = [one for kind in types for one in getattr(kind, "values", {})]
    average = {
        "fields": len(fields) / len(types),
        "inputFields": len(fields) / len(types),
        "args": len(arguments) / max(1, len(fields)),
        "enumValues": len(values) / len(types),
    }
    known = {name: ceil(size) for name, size in average.items()}
    return {
        **known,
        "types": len(types),
        "interfaces": 1,
        "possibleTypes": 1,
        "directives": len(schema.directives),
        "locations": 1,
    }
