"""A draft as one DynamoDB transaction, and what it means when that is cancelled."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from attrs import frozen

from adapters.dynamodb.items.item_table import ItemTable
from adapters.dynamodb.items.typed_values import bytes_of, number, text
from adapters.dynamodb.log.batches import Batch
from adapters.dynamodb.log.companions import Companion
from adapters.dynamodb.log.draft import Draft
from adapters.dynamodb.log.keys import Keys
from adapters.dynamodb.log.spans import span_item
from adapters.dynamodb.retry.call_outcome import PASSING
from adapters.dynamodb.transport.errors import Canceled, Reason

CONDITION = "ConditionalCheckFailed"
PASSES = PASSING | {CONDITION}
"""Reasons after which another attempt makes sense."""


@frozen
class Transaction:
    """`subjects` tells for each action the stream or the companion it is about, nothing for the
    log's own actions.
    """

    batch: Batch
    actions: Sequence[Mapping[str, Any]]
    subjects: Sequence[str | Companion | None]

    @property
    def token(self) -> str:
        return self.batch.batch_id.hex()


@frozen
class Lost:
    """Why a transaction was cancelled: whose conditions failed, or that somebody was in the way."""

    mine: bool = False
    """The batch in the way is this very one: it had been stored all along."""
    position: bool = False
    """Somebody else has taken the position."""
    streams: frozenset[str] = frozenset()
    """Streams that are not where the draft took them to be."""
    companions: Sequence[Companion] = ()
    """What was to be stored besides, and must not be."""
    in_the_way: bool = False
    """Somebody else was writing to one of the items at the same moment."""
    hopeless: bool = False
    """Something is wrong with the request itself."""


def transaction(
    draft: Draft,
    batch: Batch,
    keys: Keys,
    table: ItemTable,
    *,
    opens_block: bool,
    companions: Sequence[Companion] = (),
    unmoved: Collection[str] = (),
) -> Transaction:
    """Guarded streams are checked, but for those that are known not to have moved."""
    actions: list[Mapping[str, Any]] = [table.put_if_absent(item) for item in batch.items(keys)]
    if opens_block:
        actions.append(table.put_if_absent(_block_item(keys, batch.first)))
    subjects: list[str | Companion | None] = [None] * len(actions)
    for stream, placed in draft.written.items():
        key = keys.span(stream, draft.next_key(stream))
        item = span_item(key, stream, placed, batch=batch.first, ms=batch.ms)
        actions.append(table.put_if_absent(item))
        subjects.append(stream)
    for stream in draft.checked:
        if stream in unmoved:
            continue
        actions.append(table.check_absent(keys.span(stream, draft.next_key(stream))))
        subjects.append(stream)
    actions += [companion.action for companion in companions]
    return Transaction(batch, actions, [*subjects, *companions])


def lost(canceled: Canceled, sent: Transaction) -> Lost:
    """What the reasons say about what was sent; nothing of it has been stored, unless `mine`."""
    failed = [
        (reason, subject)
        for reason, subject in zip(canceled.reasons, sent.subjects, strict=True)
        if reason.code == CONDITION
    ]
    own = [reason for reason, subject in failed if subject is None]
    return Lost(
        mine=any(_is(reason, sent.batch.batch_id) for reason in own),
        position=bool(own),
        streams=frozenset(subject for _, subject in failed if isinstance(subject, str)),
        companions=[subject for _, subject in failed if isinstance(subject, Companion)],
        in_the_way="TransactionConflict" in canceled.codes,
        hopeless=not PASSES.issuperset(canceled.codes),
    )


def _is(reason: Reason, batch_id: bytes) -> bool:
    item = reason.item
    return item is not None and "id" in item and bytes_of(item, "id") == batch_id


def _block_item(keys: Keys, first: int) -> Mapping[str, Any]:
    return {
        "PK": text(keys.blocks),
        "SK": number(keys.block_of(first)),
        "first": number(first),
    }
