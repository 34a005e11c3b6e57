"""
Streams that need no check, because nobody but this process has written to the log since.

Whoever writes takes the next position, and only one can have it. So once a stream was checked, or
written, by one of our transactions, it cannot have moved as long as every later batch is ours: if
somebody else had written, ours would fail at its position. A check costs as much as a write.
"""

from attrs import define, field

from adapters.dynamodb.log.draft import Draft
from adapters.eventstore.appending.stream_heads import StreamHeads


@define
class OwnRun:
    """Batches that follow each other, all of them ours."""

    _next_keys: StreamHeads
    """Where streams go on that were seen to in this run."""
    _ends_at: int | None = field(default=None, init=False)

    def vouches_for(self, draft: Draft, head: int) -> set[str]:
        """The draft's guarded streams that cannot have moved if the next position is free."""
        if head != self._ends_at:
            self._next_keys.clear()
        return {s for s in draft.checked if self._next_keys.get(s) == draft.next_key(s)}

    def went_on(self, draft: Draft, last: int) -> None:
        """A transaction with the draft is stored, and the log ends here now."""
        self._next_keys.remember({s: draft.next_key(s) for s in draft.checked})
        self._next_keys.remember({s: version + 1 for s, version in draft.moved.items()})
        self._ends_at = last
