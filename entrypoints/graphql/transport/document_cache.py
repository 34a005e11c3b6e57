"""Documents, read and found to fit the schema: once, not whenever they are asked again."""

from collections import OrderedDict

from attrs import define, field
from graphql import DocumentNode, GraphQLError, GraphQLSchema, GraphQLSyntaxError, parse, validate

from entrypoints.graphql.limits.depth_and_width import check_shape
from entrypoints.graphql.limits.limits import Limits, TooMuchAsked
from entrypoints.graphql.transport.refusals import Refusal, coded

REMEMBERED = 500
LONGEST_REMEMBERED = 20_000
"""Characters of a document: those that programs ask again and again are shorter."""
MOST_CHARACTERS = 400_000
"""Of all that is remembered. What was read takes a hundred times as many bytes and more."""

MOST_ERRORS = 20


@define
class Documents:
    """Remembers good documents, so many and so much of them; those asked for lately stay."""

    schema: GraphQLSchema
    limits: Limits
    _known: OrderedDict[str, DocumentNode] = field(factory=OrderedDict, init=False)
    _characters: int = field(default=0, init=False)

    def read(self, text: str) -> DocumentNode:
        """Raises Refusal if it is too large, is not GraphQL, or does not fit the schema."""
        known = self._known.get(text)
        if known is not None:
            self._known.move_to_end(text)
            return known
        document = self._checked(text)
        if len(text) <= LONGEST_REMEMBERED:
            self._remember(text, document)
        return document

    def _remember(self, text: str, document: DocumentNode) -> None:
        self._known[text] = document
        self._characters += len(text)
        while len(self._known) > REMEMBERED or self._characters > MOST_CHARACTERS:
            forgotten, _ = self._known.popitem(last=False)
            self._characters -= len(forgotten)

    def _checked(self, text: str) -> DocumentNode:
        try:
            document = _parsed(text, self.limits)
            # Before it is validated: that, too, takes longer than in proportion to some documents.
            check_shape(document, self.limits)
        except TooMuchAsked as error:
            raise Refusal([error.as_error()]) from None
        except GraphQLSyntaxError as error:
            raise Refusal([error]) from None
        errors = validate(self.schema, document, max_errors=MOST_ERRORS)
        if errors:
            raise Refusal(errors)
        return document


def _parsed(text: str, limits: Limits) -> DocumentNode:
    if len(text) > limits.length:
        raise TooMuchAsked("TOO_LONG", "characters in one document", limits.length)
    try:
        return parse(text, max_lexical_tokens=limits.tokens, max_comments=limits.comments)
    except GraphQLSyntaxError as error:
        raise _named(error, limits) from None


def _named(error: GraphQLError, limits: Limits) -> Exception:
    """The library tells of its own limits as of any other mistake."""
    if f"more than {limits.tokens} tokens" in error.message:
        return TooMuchAsked("TOO_LONG", "tokens in one document", limits.tokens)
    if f"more than {limits.comments} comments" in error.message:
        return TooMuchAsked("TOO_LONG", "comments in one document", limits.comments)
    if "nested too deeply" in error.message:
        return Refusal([coded("QUERY_TOO_DEEP", "the document is nested too deeply")])
    return error
