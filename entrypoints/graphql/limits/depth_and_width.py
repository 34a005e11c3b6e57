"""
The shape of a document: how deep and how wide it is, whatever the variables are.

Fragments may name each other without an end, or twice each, thirty levels deep: whoever walks
through a document stops at the first limit, so that the work is bounded whatever it says.
"""

from collections import Counter
from collections.abc import Iterator

from attrs import define, field, frozen
from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
)
from graphql.language import Visitor, visit

from entrypoints.graphql.limits.limits import Limits, TooMuchAsked

INTROSPECTION = ("__schema", "__type")
INTROSPECTION_DEPTH = 20
"""The question that every tool asks about a schema is 15 deep."""


def check_shape(document: DocumentNode, limits: Limits) -> None:
    """Whatever the variables are. Raises TooMuchAsked."""
    _check_counts(document, limits)
    fragments = fragments_of(document)
    walk = _Walk(limits, fragments)
    for definition in document.definitions:
        if isinstance(definition, OperationDefinitionNode):
            walk.operation(definition)
        elif isinstance(definition, FragmentDefinitionNode):
            walk.fragment(definition)


def fragments_of(document: DocumentNode) -> dict[str, FragmentDefinitionNode]:
    return {
        one.name.value: one
        for one in document.definitions
        if isinstance(one, FragmentDefinitionNode)
    }


Path = tuple[str, ...]
"""The names of fields in the answer, from its root."""


@frozen
class _Place:
    path: Path
    deepest: int
    fragments: frozenset[str] = frozenset()
    """Those that it is inside of."""


@define
class _Walk:
    """Goes through selections with fragments written out, and counts."""

    limits: Limits
    fragments: dict[str, FragmentDefinitionNode]
    seen: int = 0
    _repeats: Counter[Path] = field(factory=Counter, init=False)

    def operation(self, operation: OperationDefinitionNode) -> None:
        name = operation.name.value if operation.name else ""
        roots = self.selections(operation.selection_set, _Place((name,), self.limits.depth))
        if roots > self.limits.root_fields:
            said = "fields at the root of an operation"
            raise TooMuchAsked("TOO_MANY_ROOT_FIELDS", said, self.limits.root_fields)

    def fragment(self, fragment: FragmentDefinitionNode) -> None:
        """Also one that nobody uses: it is validated, too."""
        name = fragment.name.value
        of_the_schema = fragment.type_condition.name.value.startswith("__")
        deepest = INTROSPECTION_DEPTH if of_the_schema else self.limits.depth
        self.selections(fragment.selection_set, _Place((f"...{name}",), deepest, frozenset({name})))

    def selections(self, chosen: SelectionSetNode, place: _Place) -> int:
        """How many fields it has, without those within them."""
        if len(place.path) > place.deepest:
            raise TooMuchAsked("QUERY_TOO_DEEP", "levels of fields within fields", place.deepest)
        fields = 0
        for one in chosen.selections:
            self._count()
            match one:
                case FieldNode():
                    fields += 1
                    self._field(one, place)
                case FragmentSpreadNode():
                    fields += self._spread(one.name.value, place)
                case InlineFragmentNode():
                    fields += self.selections(one.selection_set, place)
        return fields

    def _field(self, one: FieldNode, place: _Place) -> None:
        path = (*place.path, (one.alias or one.name).value)
        self._repeats[path] += 1
        if self._repeats[path] > self.limits.repeats:
            raise TooMuchAsked("TOO_MANY_REPEATS", "repeats of one field", self.limits.repeats)
        if one.selection_set is not None:
            introspects = one.name.value in INTROSPECTION
            deepest = max(place.deepest, INTROSPECTION_DEPTH if introspects else 0)
            self.selections(one.selection_set, _Place(path, deepest, place.fragments))

    def _spread(self, name: str, place: _Place) -> int:
        # A circle is an error that validation tells of; here it must only end.
        if name in place.fragments or name not in self.fragments:
            return 0
        inside = place.fragments | {name}
        return self.selections(
            self.fragments[name].selection_set, _Place(place.path, place.deepest, inside)
        )

    def _count(self) -> None:
        self.seen += 1
        if self.seen > self.limits.selections:
            said = "selections, with every fragment written out"
            raise TooMuchAsked("TOO_MANY_SELECTIONS", said, self.limits.selections)


def _check_counts(document: DocumentNode, limits: Limits) -> None:
    counted = _Counts()
    visit(document, counted)
    for code, what, found, limit in counted.against(limits):
        if found > limit:
            raise TooMuchAsked(code, f"{what} in one document", limit)


@define(eq=False, slots=False)
class _Counts(Visitor):
    operations: int = field(default=0, init=False)
    fragments: int = field(default=0, init=False)
    aliases: int = field(default=0, init=False)
    directives: int = field(default=0, init=False)

    def __attrs_pre_init__(self) -> None:
        super().__init__()

    def enter_operation_definition(self, *_: object) -> None:
        self.operations += 1

    def enter_fragment_definition(self, *_: object) -> None:
        self.fragments += 1

    def enter_field(self, node: FieldNode, *_: object) -> None:
        self.aliases += node.alias is not None

    def enter_directive(self, *_: object) -> None:
        self.directives += 1

    def against(self, limits: Limits) -> Iterator[tuple[str, str, int, int]]:
        yield "TOO_MANY_OPERATIONS", "operations", self.operations, limits.operations
        yield "TOO_MANY_FRAGMENTS", "fragments", self.fragments, limits.fragments
        yield "TOO_MANY_ALIASES", "aliases", self.aliases, limits.aliases
        yield "TOO_MANY_DIRECTIVES", "directives", self.directives, limits.directives
