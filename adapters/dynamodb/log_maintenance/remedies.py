"""What can be mended in a DynamoDB log: everything that follows from the batches."""

from attrs import frozen

from adapters.dynamodb.log_maintenance.span_ledger import SpanAt


@frozen
class RebuildSpan:
    wanted: SpanAt
    is_taken: bool = False
    """Whether something lies at its key."""
    replaces: SpanAt | None = None
    """What lies there, if it can be read."""

    def __str__(self) -> str:
        return f"write the span anew from the batch at {self.wanted.batch}"


@frozen
class RemoveSpan:
    span: SpanAt

    def __str__(self) -> str:
        return "remove the span"


@frozen
class RemoveBlob:
    name: str

    def __str__(self) -> str:
        return "remove the blob"


@frozen
class AnnounceBlock:
    block: int
    first: int
    is_taken: bool = False
    """Whether something unreadable lies at its key."""

    def __str__(self) -> str:
        return "announce the block"
