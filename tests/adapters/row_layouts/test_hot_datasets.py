"""Signals of hot datasets lie in ten shards, and are read as if they did not (S0-218, S0-219)."""

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.eventstore.sealing.seals import Seals
from adapters.generations.origin import FilledOtherwise, Origin
from adapters.memory.engine import MemoryEngine
from adapters.memory.keys import MemoryKeys
from adapters.read_models.signals import TableSignals
from adapters.read_models.view_store import TableCards
from adapters.row_layouts.catalogue import SIGNAL_STATE
from adapters.row_layouts.engine import TableEngine
from adapters.row_layouts.hot_datasets import NONE_HOT, SHARDS, HotDatasets, dataset_at
from application.reads.paging import PageRequest
from application.signals.read_model import SignalKey, SignalsOf, SignalView
from domain.ids import DatasetUrn, SignalType
from domain.signal.evaluation import SignalStateEnum
from tests.adapters.row_layouts.sample_views import NOON, ORDERS, signal_card, urn

HOT = HotDatasets(("urn:dp:orders:*",))
COLD = DatasetUrn("urn:dp:payments:paid:v1")
TYPES = [f"CUSTOM_{n}" for n in range(25)]


class Noon:
    def now(self) -> object:
        return NOON


def file(engine: TableEngine, hot: HotDatasets, cards: Sequence[SignalView], at: int = 1) -> None:
    changes = {SignalKey(card.dataset, card.signal_type): (card, at) for card in cards}
    asyncio.run(TableCards(engine, Seals(MemoryKeys()), hot).file("p", changes, upto=at))


def board(engine: TableEngine, hot: HotDatasets) -> TableSignals:
    return TableSignals(engine, Noon(), hot)  # type: ignore[arg-type]


def partitions(engine: TableEngine) -> set[str]:
    page = asyncio.run(engine.scan(SIGNAL_STATE.name, limit=1000))
    return {row["PK"] for row in page.rows}


# Where they lie.


@given(st.sampled_from([ORDERS, COLD]), st.from_regex(r"[A-Z][A-Z_]{0,20}", fullmatch=True))
def test_a_signal_lies_in_one_of_its_datasets_partitions(dataset: DatasetUrn, name: str) -> None:
    place = HOT.partition(SignalKey(dataset, SignalType(name)))
    assert place in HOT.partitions(dataset)
    assert dataset_at(place) == dataset


def test_the_shard_is_the_same_in_every_process() -> None:
    """T3: not the interpreter's own hash, which differs from start to start."""
    places = [HOT.partition(SignalKey(ORDERS, SignalType(name))) for name in ("VOLUME", "PII")]
    assert places == [f"{ORDERS}#shard6", f"{ORDERS}#shard2"]


def test_signals_spread_over_the_shards(engine: TableEngine) -> None:
    file(engine, HOT, [signal_card(ORDERS, name) for name in TYPES])
    assert partitions(engine) <= {f"{ORDERS}#shard{n}" for n in range(SHARDS)}
    assert len(partitions(engine)) > 5


def test_only_those_that_are_named_are_hot(engine: TableEngine) -> None:
    file(engine, HotDatasets((urn(1),)), [signal_card(urn(1)), signal_card(urn(10))])
    hot, cold = sorted(partitions(engine), key=len, reverse=True)
    assert (hot[: len(urn(1))], cold) == (urn(1), urn(10))


# Reading them.


def test_one_all_and_those_that_are_not_ok_are_read_as_ever(engine: TableEngine) -> None:
    cards = [signal_card(dataset, name) for dataset in (ORDERS, COLD) for name in TYPES]
    file(engine, HOT, cards)
    reads = board(engine, HOT)
    for card in (cards[0], cards[-1]):
        assert asyncio.run(reads.find(card.dataset, card.signal_type)) == card
    named = {SignalKey(card.dataset, card.signal_type): card for card in cards}
    assert asyncio.run(reads.find_many(named)) == named
    for dataset in (ORDERS, COLD):
        of = sorted((c for c in cards if c.dataset == dataset), key=lambda c: c.signal_type)
        assert asyncio.run(reads.of_dataset(dataset)) == of
    page = asyncio.run(reads.not_ok(SignalStateEnum.CRITICAL, PageRequest(size=100)))
    assert len(page.items) == len(cards)


def test_a_group_is_gathered_from_all_shards(engine: TableEngine) -> None:
    file(engine, HOT, [signal_card(ORDERS, name) for name in TYPES])
    cards = TableCards(engine, Seals(MemoryKeys()), HOT)
    found = asyncio.run(cards.group(SignalsOf(ORDERS)))
    assert {key.signal_type for key in found} == set(TYPES)
    one = SignalKey(ORDERS, SignalType(TYPES[0]))
    assert asyncio.run(cards.find([one])) == {one: found[one]}


# Changing which are hot.


def claim(engine: TableEngine, origin: Origin, *, head: int = 9) -> None:
    async def end_of_log() -> int:
        return head

    asyncio.run(origin.claim(engine, ["p"], head=end_of_log))


@pytest.mark.parametrize(("before", "then"), [(NONE_HOT, HOT), (HOT, NONE_HOT)])
def test_other_hot_datasets_are_refused(
    engine: TableEngine, before: HotDatasets, then: HotDatasets
) -> None:
    claim(engine, Origin("log", before))
    claim(engine, Origin("log", before))
    with pytest.raises(FilledOtherwise, match="STATESTORE_HOT_DATASETS"):
        claim(engine, Origin("log", then))


def test_tables_that_were_filled_before_anybody_took_note_have_none() -> None:
    engine = MemoryEngine()
    file(engine, NONE_HOT, [signal_card()])
    with pytest.raises(FilledOtherwise, match="the hot datasets were none"):
        claim(engine, Origin("log", HOT))
    claim(engine, Origin("log"))


def test_another_log_is_refused_and_one_that_lost_its_end(engine: TableEngine) -> None:
    claim(engine, Origin("log"))
    with pytest.raises(FilledOtherwise, match="from the log log, and this is other"):
        claim(engine, Origin("other"))
    file(engine, NONE_HOT, [signal_card()], at=9)
    claim(engine, Origin("log"), head=9)
    with pytest.raises(FilledOtherwise, match="p has read 9 facts, the log holds 8"):
        claim(engine, Origin("log"), head=8)


def test_what_others_append_and_fold_meanwhile_is_no_loss() -> None:
    """They do so after the tables were looked at, or before the log is."""
    engine = MemoryEngine()

    async def folded_by_others() -> int:
        file_one = TableCards(engine, Seals(MemoryKeys())).file
        await file_one("p", {}, upto=12)
        return 12

    asyncio.run(Origin("log").claim(engine, ["p"], head=folded_by_others))
    asyncio.run(Origin("log").claim(engine, ["p"], head=folded_by_others))
