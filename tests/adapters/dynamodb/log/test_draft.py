"""Which appends share a transaction, and what it asks and stores."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from adapters.dynamodb.items.item_table import ItemTable
from adapters.dynamodb.items.typed_values import binary, int_of
from adapters.dynamodb.log.batches import Batch
from adapters.dynamodb.log.draft import GROUP_BYTES, MOST_STREAMS, Draft, Place, Room
from adapters.dynamodb.log.keys import Keys
from adapters.dynamodb.log.spans import ONE_UNIT, read_span
from adapters.dynamodb.log.transaction import CONDITION, Transaction, lost, transaction
from adapters.dynamodb.transport.errors import Canceled, Reason
from adapters.eventstore.appending.write_outcomes import Failed
from adapters.eventstore.log import Append, NewEvent, StreamConflict
from tests.adapters.dynamodb.support.scripted_transport import Scripted
from tests.adapters.eventstore.log.appends import append, event, guarded

KEYS = Keys("app")
MINE = b"m" * 16
BATCH = Batch(8, 2, 5, MINE, b"content")


def drafted(bases: Mapping[str, int], *appends: Append) -> tuple[Draft, list[Place | Failed]]:
    draft = Draft(bases.get)
    return draft, [draft.add(one) for one in appends]


def sent(draft: Draft, *, opens_block: bool = False) -> Transaction:
    return transaction(
        draft, BATCH, KEYS, ItemTable(Scripted([]), "table"), opens_block=opens_block
    )


def keys_of(made: Transaction) -> list[tuple[str, str, str]]:
    """Kind of action, PK and SK."""
    found = []
    for action in made.actions:
        ((kind, about),) = action.items()
        key: Mapping[str, Any] = about.get("Item") or about["Key"]
        found.append((kind, key["PK"]["S"], key["SK"]["N"]))
    return found


# Drafting.


def test_appends_follow_each_other() -> None:
    draft, outcomes = drafted({"a-1": 4}, append("a-1", 5), append("b-1", 1, 2), append("a-1", 6))
    assert outcomes == [Place(0, 1), Place(1, 2), Place(3, 1)]
    assert draft.moved == {"a-1": 6, "b-1": 2}


def test_one_stream_twice_in_a_group_is_one_span() -> None:
    draft, _ = drafted({"a-1": 4}, append("a-1", 5), append("b-1", 1), append("a-1", 6))
    made = sent(draft)
    assert keys_of(made)[1:] == [("Put", "S#app#a-1", "5"), ("Put", "S#app#b-1", "0")]
    span = read_span(made.actions[1]["Put"]["Item"])
    assert (span.first, span.last) == (5, 6)
    assert [(e.position, e.version) for e in span.entries("a-1")] == [(8, 5), (10, 6)]


def test_what_does_not_fit_leaves_no_trace() -> None:
    draft, (_, refused, _) = drafted({}, append("a-1", 1), append("a-1", 1), append("a-1", 2))
    assert isinstance(refused, Failed)
    assert isinstance(refused.error, StreamConflict)
    assert (refused.error.attempted, refused.error.last) == (1, 1)
    assert len(draft.placed) == 2


@pytest.mark.parametrize("first", [0, 1])
def test_a_stream_begins_at_sort_key_zero(first: int) -> None:
    draft, _ = drafted({}, append("a-1", first, first + 1))
    item = sent(draft).actions[1]["Put"]["Item"]
    assert int_of(item, "SK") == 0
    assert read_span(item).first == first


def test_a_guard_asks_that_the_next_version_is_not_there() -> None:
    draft, _ = drafted({"a-1": 4}, guarded("b-1", 1, ("a-1", 4), ("c-1", 0)))
    assert keys_of(sent(draft))[2:] == [
        ("ConditionCheck", "S#app#a-1", "5"),
        ("ConditionCheck", "S#app#c-1", "0"),
    ]


def test_no_key_appears_twice_when_guards_and_writes_meet() -> None:
    draft, outcomes = drafted(
        {"a-1": 4},
        guarded("b-1", 1, ("a-1", 4)),
        guarded("a-1", 5, ("a-1", 4)),
        guarded("c-1", 1, ("a-1", 5), ("b-1", 1)),
    )
    assert all(isinstance(outcome, Place) for outcome in outcomes)
    keys = keys_of(sent(draft))
    assert len({key[1:] for key in keys}) == len(keys) == 4


def test_the_first_batch_of_a_block_announces_it() -> None:
    draft, _ = drafted({}, append("a-1", 1))
    assert keys_of(sent(draft, opens_block=True))[:2] == [
        ("Put", "L#app#1#0#0", "8"),
        ("Put", "B#app#1#0", "0"),
    ]


def test_small_events_lie_in_the_span_and_large_ones_only_in_the_log() -> None:
    small, _ = drafted({}, append("a-1", 1))
    assert "e" in sent(small).actions[1]["Put"]["Item"]
    noise = Random(1).randbytes(ONE_UNIT)
    large, _ = drafted({}, Append([NewEvent("a-1", 1, "x", noise)]))
    assert "e" not in sent(large).actions[1]["Put"]["Item"]


# Grouping.


def test_a_group_holds_as_many_streams_as_a_transaction() -> None:
    room = Room()
    taken = [room.takes(append(f"a-{n}", 1)) for n in range(MOST_STREAMS + 1)]
    assert taken == [True] * MOST_STREAMS + [False]
    assert room.takes(append("a-0", 2))


def test_guards_take_room_too() -> None:
    room = Room()
    guards = [(f"g-{n}", 0) for n in range(MOST_STREAMS - 1)]
    assert room.takes(guarded("a-1", 1, *guards))
    assert not room.takes(append("b-1", 1))


def test_a_large_append_is_alone_wherever_it_comes() -> None:
    large = Append([event("a-1", 1, bytes(GROUP_BYTES))])
    alone, behind = Room(), Room()
    assert alone.takes(large)
    assert not alone.takes(append("b-1", 1))
    assert behind.takes(append("b-1", 1))
    assert not behind.takes(large)


# A cancelled transaction.


def canceled(*codes: str, item: Any = None) -> Canceled:
    return Canceled(tuple(Reason(code, item if code == CONDITION else None) for code in codes))


def two_streams() -> Transaction:
    draft, _ = drafted({"g-1": 1}, guarded("a-1", 1, ("g-1", 1)))
    return sent(draft)


def test_the_position_was_taken_by_somebody_else() -> None:
    why = lost(canceled(CONDITION, "None", "None", item={"id": binary(b"x" * 16)}), two_streams())
    assert (why.mine, why.position, why.streams) == (False, True, frozenset())


def test_the_position_was_taken_by_this_very_batch() -> None:
    mine = {"id": binary(MINE)}
    assert lost(canceled(CONDITION, CONDITION, "None", item=mine), two_streams()).mine


def test_a_stream_or_a_guarded_one_has_moved() -> None:
    why = lost(canceled("None", CONDITION, CONDITION), two_streams())
    assert (why.mine, why.position, why.streams) == (False, False, frozenset({"a-1", "g-1"}))


def test_somebody_in_the_way_is_nobody_s_fault() -> None:
    why = lost(canceled("None", "TransactionConflict", "None"), two_streams())
    assert (why.mine, why.position, why.streams) == (False, False, frozenset())
