"""
What enforcers ask before they let records through: what is agreed about a dataset.

They ask often and keep the answer for a while. So every answer has a tag, which is another one
whenever the answer is another one; whoever still has the answer of that tag is told so, and nothing
is read of the configuration but its version. A dataset that is not registered is an answer, too:
records do not wait until somebody registers it.
"""

from collections.abc import Collection, Sequence
from enum import StrEnum

from attrs import evolve, frozen

from application.caller import Caller
from application.datasets.read_model import DatasetReadModel, DatasetView, Edition
from application.errors import Unavailable
from application.ports.access import Access
from application.projections.datasets import REGISTRY
from application.reads.consistency import Reads
from application.reads.demand import NOTHING, Answer, Demand
from application.reads.reader import DatasetCopy
from domain.dataset.config import DatasetStatus
from domain.dataset.tier import Tier
from domain.ids import DatasetUrn

DEFAULT_TIER = Tier.TIER_3
SOON = 5
"""Seconds after which to ask again, if the store could not be asked."""

UNREGISTERED = Edition(0, DatasetStatus.UNREGISTERED)


class FallbackOnMiss(StrEnum):
    """What to do with records of a dataset that is not registered (S0-249)."""

    WARN = "WARN"
    FAIL = "FAIL"
    PASS = "PASS"


@frozen
class Terms:
    """What is told together with any configuration (S0-248)."""

    cache_ttl_seconds: int = 300
    on_miss: FallbackOnMiss = FallbackOnMiss.WARN

    def tag(self, edition: Edition) -> str:
        """Begins with the version, and has all else that an answer depends on."""
        retired = "-retired" if edition.status is DatasetStatus.RETIRED else ""
        return f"{edition.config_version}{retired}-{self.cache_ttl_seconds}-{self.on_miss.lower()}"


@frozen
class PolicyAsked:
    dataset: DatasetUrn
    known: Collection[str] = ()
    """The tags of the answers that the caller has."""


@frozen
class Policy:
    """What is to be enforced (S0-247)."""

    dataset: DatasetUrn
    card: DatasetView | None
    """Nothing if the dataset is not registered."""
    terms: Terms
    tag: str
    is_fallback: bool = False
    """Whether nothing could be asked, and the default is told: nothing is checked (S0-307)."""
    stale_seconds: float | None = None
    """How long ago it was read, if the tables do not answer and this is a copy."""

    @property
    def is_degraded(self) -> bool:
        return self.is_fallback or self.stale_seconds is not None

    @property
    def tier(self) -> Tier | None:
        if self.is_fallback:
            return DEFAULT_TIER
        return self.card.settings.tier if self.card else None


@frozen
class Unchanged:
    """The caller has the answer of this tag, and it is still right."""

    dataset: DatasetUrn
    terms: Terms
    tag: str


@frozen
class ReadPolicies:
    reads: Reads
    access: Access
    terms: Terms

    async def __call__(
        self,
        asked: Sequence[PolicyAsked],
        *,
        on_miss: FallbackOnMiss | None = None,
        demand: Demand = NOTHING,
        by: Caller,
    ) -> Answer[Sequence[Policy | Unchanged]]:
        """The answers in the order of the questions.

        When the tables do not answer, copies are told, and the default where there is none
        (S0-306); of the past, or strongly, that is an error.
        """
        datasets = dict.fromkeys(one.dataset for one in asked)
        for dataset in datasets:
            await self.access.permit(by, "policy:read", dataset)
        reader = await self.reads.open(demand, by=by, projections=[REGISTRY], about=datasets.keys())
        terms = evolve(self.terms, on_miss=on_miss or self.terms.on_miss)
        try:
            return reader.answer(await _agreed(reader.datasets, asked, terms))
        except Unavailable:
            copies = await reader.dataset_copies(datasets.keys())
            if copies is None:
                raise
        return reader.answer(
            [_degraded(one.dataset, copies.get(one.dataset), terms) for one in asked]
        )


async def _agreed(
    registry: DatasetReadModel, asked: Sequence[PolicyAsked], terms: Terms
) -> Sequence[Policy | Unchanged]:
    editions = await registry.editions({one.dataset for one in asked if one.known})
    tags = [terms.tag(editions.get(one.dataset, UNREGISTERED)) for one in asked]
    kept = [tag in one.known for one, tag in zip(asked, tags, strict=True)]
    others = {one.dataset for one, is_kept in zip(asked, kept, strict=True) if not is_kept}
    cards = await registry.find_many(others)
    return [
        Unchanged(one.dataset, terms, tag)
        if is_kept
        else _policy(one.dataset, cards.get(one.dataset), terms)
        for one, tag, is_kept in zip(asked, tags, kept, strict=True)
    ]


def _degraded(dataset: DatasetUrn, copy: DatasetCopy | None, terms: Terms) -> Policy:
    """To be asked for again soon; its tag is never that of an answer which is right."""
    short = evolve(terms, cache_ttl_seconds=min(terms.cache_ttl_seconds, SOON))
    if copy is None:
        tag = f"fallback-{short.tag(UNREGISTERED)}"
        return Policy(dataset, None, short, tag, is_fallback=True)
    policy = _policy(dataset, copy.card, short)
    return evolve(policy, tag=f"{policy.tag}-stale", stale_seconds=copy.age_seconds)


def _policy(dataset: DatasetUrn, card: DatasetView | None, terms: Terms) -> Policy:
    edition = UNREGISTERED if card is None else Edition(card.config_version, card.status)
    return Policy(dataset, card, terms, terms.tag(edition))
