"""One transaction outside the log: all of it or nothing."""

import uuid
from collections.abc import Sequence

from adapters.dynamodb.items.item_table import ItemTable
from adapters.dynamodb.log.companions import Companion
from adapters.dynamodb.log.transaction import CONDITION
from adapters.dynamodb.retry.backoff import BackingOff
from adapters.dynamodb.retry.call_outcome import PASSING
from adapters.dynamodb.transport.errors import Canceled, NotApplied
from adapters.dynamodb.transport.errors import OutcomeUnknown as Undecided
from application.errors import OutcomeUnknown, Unavailable

PATIENCE = 10.0


async def store_all(table: ItemTable, companions: Sequence[Companion]) -> None:
    """Store all, trying again while others are in the way.

    Raises:
        A companion's refusal: Its condition did not hold; nothing was stored.
        Unavailable: DynamoDB refused; nothing was stored.
        OutcomeUnknown: It may or may not have been stored.
    """
    attempts, what = BackingOff(PATIENCE), f"the table {table.name}"
    actions = [companion.action for companion in companions]
    while True:
        try:
            token = uuid.uuid4().hex
            return await table.transact(actions, token=token, deadline=attempts.left())
        except Canceled as canceled:
            _refuse(canceled, companions, what)
        except NotApplied as error:
            raise Unavailable(what, str(error)) from error
        except Undecided as error:
            raise OutcomeUnknown(what, str(error)) from error
        await attempts.pause(what)


def _refuse(canceled: Canceled, companions: Sequence[Companion], what: str) -> None:
    """Raise, unless those in the way will pass."""
    for reason, companion in zip(canceled.reasons, companions, strict=True):
        if reason.code == CONDITION:
            raise companion.refusal() from canceled
    if not PASSING.issuperset(canceled.codes):
        raise Unavailable(what, str(canceled)) from canceled
