"""A batch: cards change in memory, and only forwards."""

from collections.abc import Mapping
from typing import Any

from application.projections.batch import Batch
from application.projections.signals import Facets, FacetsKey, SignalCards
from application.projections.view_store import Filed, Key
from application.signals.read_model import SignalKey, SignalsOf
from domain.dataset.tier import Tier
from domain.signal.evaluation import SignalStateEnum
from tests.adapters.row_layouts.sample_views import signal_card
from tests.application.projections.story import FRESHNESS, ORDERS, PAYMENTS, VOLUME, registered

FACETS: Mapping[Key, Filed] = {FacetsKey(ORDERS): Filed(Facets(ORDERS, Tier.TIER_1, "team"), 1)}
KEY = SignalKey(ORDERS, FRESHNESS)


def test_a_card_that_is_ahead_of_the_fact_stays_as_it_is() -> None:
    fact = registered().evaluate(SignalStateEnum.OK).facts[-1]
    for ahead, changed in ((-1, True), (0, False), (1, False)):
        batch = Batch({**FACETS, KEY: Filed(signal_card(), fact.position + ahead)})
        batch.fold(SignalCards(), fact)
        assert (KEY in batch.changes) is changed


def test_a_change_is_seen_by_the_facts_that_follow() -> None:
    batch = Batch(FACETS)
    for fact in (
        registered().evaluate(SignalStateEnum.OK).evaluate(SignalStateEnum.CRITICAL, hour=1).facts
    ):
        batch.fold(SignalCards(), fact)
    card: Any = batch.get(KEY)
    assert card.version == 2


def test_a_group_has_the_filed_and_the_changed() -> None:
    others = [SignalKey(ORDERS, VOLUME), SignalKey(PAYMENTS, VOLUME)]
    filed = {key: Filed(signal_card(key.dataset, key.signal_type), 1) for key in others}
    batch = Batch({**filed, **FACETS})
    batch.fold(SignalCards(), registered().evaluate().facts[-1])
    assert set(batch.group(SignalsOf(ORDERS))) == {KEY, SignalKey(ORDERS, VOLUME)}


def test_what_was_taken_away_is_in_no_group() -> None:
    batch = Batch({KEY: Filed(signal_card(), 1)}, {KEY: (None, 2)})
    assert batch.group(SignalsOf(ORDERS)) == {}
    assert batch.get(KEY) is None
