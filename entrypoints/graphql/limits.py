"""
How much one document may ask for. All of it is checked before anything is executed.

    TOO_LONG                the document has too many characters, tokens or comments
    TOO_DEEP                fields within fields, or values within values
    TOO_MANY_OPERATIONS     in one document
    TOO_MANY_ROOT_FIELDS    in one operation, fragments included
    TOO_MANY_ALIASES        in the document
    TOO_MANY_DIRECTIVES     in the document
    TOO_MANY_SELECTIONS     with every fragment written out wherever it is used
    TOO_COSTLY              the answer could have too many values (costs.py)

Fragments may name each other without an end, or twice each, thirty levels deep: whoever walks
through a document stops at the first limit, so that the work is bounded whatever it says.
"""

from collections.abc import Iterator

from attrs import define, field, frozen
from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
)
from graphql.language import Visitor, visit

from entrypoints.graphql.refusals import coded

INTROSPECTION = ("__schema", "__type")
INTROSPECTION_DEPTH = 20
"""The question that every tool asks about a schema is 15 deep."""


@frozen
class Limits:
    """`depth`, `cost` and `seconds` are settings: they depend on what people ask for."""

    depth: int = 12
    cost: int = 50_000
    seconds: float = 10.0
    length: int = 100_000
    tokens: int = 4_000
    comments: int = 1_000
    operations: int = 20
    root_fields: int = 20
    aliases: int = 50
    directives: int = 50
    selections: int = 1_000


@define
class TooMuchAsked(Exception):
    """A document beyond a limit."""

    code: str
    what: str
    limit: int

    def __str__(self) -> str:
        return f"{self.what}: at most {self.limit:,}"

    def as_error(self) -> GraphQLError:
        return coded(self.code, str(self), limit=self.limit)


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


@define
class _Walk:
    """Goes through selections with fragments written out, and counts."""

    limits: Limits
    fragments: dict[str, FragmentDefinitionNode]
    seen: int = 0

    def operation(self, operation: OperationDefinitionNode) -> None:
        roots = self.selections(operation.selection_set, 1, self.limits.depth, ())
        if roots > self.limits.root_fields:
            said = "fields at the root of an operation"
            raise TooMuchAsked("TOO_MANY_ROOT_FIELDS", said, self.limits.root_fields)

    def fragment(self, fragment: FragmentDefinitionNode) -> None:
        """Also one that nobody uses: it is validated, too."""
        of_the_schema = fragment.type_condition.name.value.startswith("__")
        deepest = INTROSPECTION_DEPTH if of_the_schema else self.limits.depth
        self.selections(fragment.selection_set, 1, deepest, (fragment.name.value,))

    def selections(
        self, chosen: SelectionSetNode, depth: int, deepest: int, inside: tuple[str, ...]
    ) -> int:
        """How many fields it has, without those within them."""
        if depth > deepest:
            raise TooMuchAsked("TOO_DEEP", "levels of fields within fields", deepest)
        fields = 0
        for one in chosen.selections:
            self._count()
            match one:
                case FieldNode():
                    fields += 1
                    self._within(one, depth, deepest, inside)
                case FragmentSpreadNode():
                    fields += self._spread(one.name.value, depth, deepest, inside)
                case InlineFragmentNode():
                    fields += self.selections(one.selection_set, depth, deepest, inside)
        return fields

    def _within(self, one: FieldNode, depth: int, deepest: int, inside: tuple[str, ...]) -> None:
        if one.selection_set is None:
            return
        if one.name.value in INTROSPECTION:
            deepest = max(deepest, INTROSPECTION_DEPTH)
        self.selections(one.selection_set, depth + 1, deepest, inside)

    def _spread(self, name: str, depth: int, deepest: int, inside: tuple[str, ...]) -> int:
        # A circle is an error that validation tells of; here it must only end.
        if name in inside or name not in self.fragments:
            return 0
        chosen = self.fragments[name].selection_set
        return self.selections(chosen, depth, deepest, (*inside, name))

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
    aliases: int = field(default=0, init=False)
    directives: int = field(default=0, init=False)

    def __attrs_pre_init__(self) -> None:
        super().__init__()

    def enter_operation_definition(self, *_: object) -> None:
        self.operations += 1

    def enter_field(self, node: FieldNode, *_: object) -> None:
        self.aliases += node.alias is not None

    def enter_directive(self, *_: object) -> None:
        self.directives += 1

    def against(self, limits: Limits) -> Iterator[tuple[str, str, int, int]]:
        yield "TOO_MANY_OPERATIONS", "operations", self.operations, limits.operations
        yield "TOO_MANY_ALIASES", "aliases", self.aliases, limits.aliases
        yield "TOO_MANY_DIRECTIVES", "directives", self.directives, limits.directives
