"""Every signal as the board shows it, with the tier and the owner of its dataset."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from attrs import evolve, frozen

from application.maintenance.stream_directory import Checkpoint, CheckpointKey
from application.projections.projection import Changes, View
from application.projections.view_store import Group, Key
from application.recorded import Recorded
from application.signals.read_model import SignalKey, SignalsOf, SignalView
from domain.dataset import config
from domain.dataset.tier import Tier
from domain.ids import DatasetUrn
from domain.retention import KEPT_FOR
from domain.signal import signal
from domain.stream_categories import dataset_of, signal_of
from domain.streams import StreamId

SIGNAL_BOARD = "signal-state"

_CONCERNED = frozenset(
    {
        signal.Evaluated,
        signal.Linked,
        signal.Unlinked,
        config.Registered,
        config.Reconfigured,
        config.Retired,
        config.Restored,
    }
)
SIGNALS_AT_ONCE = 10_000
CHECKPOINT_EVERY = 20
"""Versions of a signal's stream. More often would cost writes, more seldom reads of the past."""


@frozen(cache_hash=True)
class FacetsKey:
    dataset: DatasetUrn


@frozen
class Facets:
    """What a signal's card takes over from its dataset."""

    dataset: DatasetUrn
    tier: Tier
    owner_team: str
    retired_at: datetime | None = None

    def put_on(self, card: SignalView, kept: timedelta) -> SignalView:
        ends_at = self.retired_at + kept if self.retired_at else None
        return evolve(card, tier=self.tier, owner_team=self.owner_team, ends_at=ends_at)


@frozen
class SignalCards:
    """What has ended is as if it were not there, since some engine may have thrown it away."""

    name: str = SIGNAL_BOARD
    kept: timedelta = KEPT_FOR.signals
    """How long the signals of a retired dataset are shown."""
    checkpoint_every: int = CHECKPOINT_EVERY

    def concerns(self, fact: object, version: int) -> bool:
        return type(fact) in _CONCERNED

    def keys(self, recorded: Recorded) -> Iterable[Key]:
        match recorded.fact:
            case signal.Evaluated():
                key = _signal_key(recorded.stream)
                yield key
                yield _facets_key(key.dataset)
            case signal.Linked() | signal.Unlinked():
                yield _signal_key(recorded.stream)
            case config.Registered() | config.Reconfigured() | config.Retired() | config.Restored():
                yield FacetsKey(dataset_of(recorded.stream))

    def groups(self, recorded: Recorded) -> Iterable[Group]:
        match recorded.fact:
            case config.Reconfigured() | config.Retired() | config.Restored():
                yield SignalsOf(dataset_of(recorded.stream))

    def after(self, view: View, recorded: Recorded) -> Changes:
        match recorded.fact:
            case signal.Evaluated() as fact:
                yield from self._copied(recorded, *_evaluated(view, recorded, fact, self.kept))
            case signal.Linked(incident) | signal.Unlinked(_, incident):
                key = _signal_key(recorded.stream)
                card = view.get(key)
                if not _ended(card, recorded.at):
                    yield from self._copied(recorded, key, evolve(card, incident_id=incident))
            case config.Registered(dataset, settings):
                yield FacetsKey(dataset), Facets(dataset, settings.tier, settings.owner_team)
            case config.Reconfigured() as fact:
                yield from _refaced(view, recorded, _named_facets(fact), self.kept)
            case config.Retired():
                yield from _refaced(view, recorded, {"retired_at": recorded.at}, self.kept)
            case config.Restored():
                yield from _refaced(view, recorded, {"retired_at": None}, self.kept)

    def _copied(self, recorded: Recorded, key: SignalKey, card: SignalView) -> Changes:
        """The card, and now and then a copy that stays: reads of the past begin there."""
        yield key, card
        if recorded.version % self.checkpoint_every == 0:
            kept = CheckpointKey(key.dataset, key.signal_type, recorded.version)
            yield kept, Checkpoint(card, recorded.version, recorded.position)


@lru_cache(maxsize=SIGNALS_AT_ONCE)
def _signal_key(stream: StreamId) -> SignalKey:
    """Every fact of a signal asks for it, several times: it is made once."""
    return SignalKey(dataset_of(stream), signal_of(stream))


@lru_cache(maxsize=SIGNALS_AT_ONCE)
def _facets_key(dataset: DatasetUrn) -> FacetsKey:
    return FacetsKey(dataset)


def _ended(card: SignalView | None, at: datetime) -> bool:
    return card is None or (card.ends_at is not None and card.ends_at <= at)


def _evaluated(
    view: View, recorded: Recorded, fact: signal.Evaluated, kept: timedelta
) -> tuple[SignalKey, SignalView]:
    key = _signal_key(recorded.stream)
    card: SignalView = view.get(key)
    if _ended(card, recorded.at):
        facets: Facets = view.get(FacetsKey(key.dataset))
        card = facets.put_on(_first_card(key, facets, recorded, fact), kept)
    moved = fact.moved or card
    # Spelled out: this is what most facts do, and evolving a card takes four times as long.
    return key, SignalView(
        dataset=card.dataset,
        signal_type=card.signal_type,
        evaluation=fact.evaluation if fact.current else card.evaluation,
        state=moved.state,
        previous_state=moved.previous_state,
        state_changed_at=fact.moved.changed_at if fact.moved else card.state_changed_at,
        breach_start=moved.breach_start,
        tier=card.tier,
        owner_team=card.owner_team,
        last_updated=recorded.at,
        version=fact.version,
        incident_id=card.incident_id,
        ends_at=card.ends_at,
    )


def _first_card(
    key: SignalKey, facets: Facets, recorded: Recorded, fact: signal.Evaluated
) -> SignalView:
    state = fact.evaluation.state
    return SignalView(
        dataset=key.dataset,
        signal_type=key.signal_type,
        evaluation=fact.evaluation,
        state=state,
        previous_state=None,
        state_changed_at=fact.evaluation.window_end,
        breach_start=None,
        tier=facets.tier,
        owner_team=facets.owner_team,
        last_updated=recorded.at,
        version=0,
    )


def _named_facets(fact: config.Reconfigured) -> dict[str, Any]:
    return {name: getattr(fact.to, name) for name in ("tier", "owner_team") if name in fact.fields}


def _refaced(view: View, recorded: Recorded, changed: dict[str, Any], kept: timedelta) -> Changes:
    if not changed:
        return
    dataset = dataset_of(recorded.stream)
    facets: Facets = evolve(view.get(FacetsKey(dataset)), **changed)
    yield FacetsKey(dataset), facets
    for key, card in view.group(SignalsOf(dataset)).items():
        yield key, None if _ended(card, recorded.at) else facets.put_on(card, kept)
