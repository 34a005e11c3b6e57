"""What enforcers are told, through the use case, on every engine (S0-247..S0-249)."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from pathlib import Path
from typing import Any

import pytest
from attrs import define, evolve, field

from application.datasets.policies import FallbackOnMiss, Policy, PolicyAsked, Terms, Unchanged
from application.datasets.read_model import DatasetReadModel, DatasetView, Edition
from application.errors import Forbidden
from domain.dataset.config import DatasetStatus
from domain.dataset.settings import ContractBinding, PiiAction, PiiPolicy, SchemaBinding
from domain.dataset.settings_validation import DatasetReport, SettingsReport
from domain.dataset.tier import Tier
from domain.ids import DatasetUrn
from tests.application.replaced_readers import current, replaced
from tests.application.store import ADMIN, ENGINES, ORDERS, SETTINGS, Store, open_store

OTHER = DatasetUrn("urn:dp:orders:other:v1")
NOWHERE = DatasetUrn("urn:dp:orders:unheard_of:v1")
ENFORCED = evolve(
    SETTINGS,
    schema_binding=SchemaBinding("GLUE", "orders.order_created"),
    contract_binding=ContractBinding("dc:orders:3", ("order_id",)),
    pii_policy=PiiPolicy(True, ("email",), PiiAction.REDACT),
)

Story = Callable[[Store], Awaitable[None]]
Play = Callable[[Story], None]


@pytest.fixture(params=ENGINES)
def play(request: pytest.FixtureRequest, tmp_path: Path) -> Play:
    """Plays a story on a store that knows one dataset."""

    def played(story: Story) -> None:
        async def scene() -> None:
            async with open_store(request.param, tmp_path) as store:
                await store.use_cases.register_dataset(DatasetReport(ORDERS, ENFORCED), by=ADMIN)
                await store.project()
                await story(store)

        asyncio.run(scene())

    return played


async def asked(
    store: Store, dataset: DatasetUrn = ORDERS, *known: str, on_miss: FallbackOnMiss | None = None
) -> Any:
    question = [PolicyAsked(dataset, known)]
    (told,) = (await store.use_cases.read_policies(question, on_miss=on_miss, by=ADMIN)).value
    return told


async def reconfigured(store: Store, version: int) -> None:
    settings = evolve(ENFORCED, tier=list(Tier)[version % 3])
    await store.use_cases.update_dataset(
        ORDERS, SettingsReport(settings, ["tier"]), expected_version=version, by=ADMIN
    )
    await store.project()


def test_what_is_agreed_is_told(play: Play) -> None:
    async def story(store: Store) -> None:
        told = await asked(store)
        assert (told.dataset, told.card.status) == (ORDERS, DatasetStatus.ACTIVE)
        assert told.card.settings.schema_binding == ENFORCED.schema_binding
        assert told.card.settings.contract_binding == ENFORCED.contract_binding
        assert told.card.settings.pii_policy == ENFORCED.pii_policy
        assert told.card.config_version == 1
        assert told.terms == Terms(300, FallbackOnMiss.WARN)

    play(story)


def test_a_dataset_that_is_not_registered_is_an_answer(play: Play) -> None:
    async def story(store: Store) -> None:
        told = await asked(store, NOWHERE)
        assert (told.card, told.terms.on_miss) == (None, FallbackOnMiss.WARN)
        told = await asked(store, NOWHERE, on_miss=FallbackOnMiss.FAIL)
        assert (told.card, told.terms.on_miss) == (None, FallbackOnMiss.FAIL)
        assert isinstance(
            await asked(store, NOWHERE, told.tag, on_miss=FallbackOnMiss.FAIL), Unchanged
        )
        assert isinstance(await asked(store, NOWHERE, told.tag), Policy), "it says something else"
        await store.use_cases.register_dataset(DatasetReport(NOWHERE, SETTINGS), by=ADMIN)
        await store.project()
        now = await asked(store, NOWHERE, told.tag, on_miss=FallbackOnMiss.FAIL)
        assert now.card.config_version == 1

    play(story)


def test_the_tag_is_another_one_whenever_the_answer_is(play: Play) -> None:
    """Through changes of the configuration, and when the dataset retires and is back."""

    async def story(store: Store) -> None:
        tags = [(await asked(store)).tag]
        await reconfigured(store, 1)
        tags.append((await asked(store)).tag)
        await store.use_cases.retire_dataset(ORDERS, by=ADMIN)
        await store.project()
        retired = await asked(store)
        assert retired.card.status is DatasetStatus.RETIRED
        tags += [retired.tag, (await asked(store, on_miss=FallbackOnMiss.PASS)).tag]
        reading = evolve(store.use_cases.read_policies, terms=Terms(cache_ttl_seconds=60))
        tags += [(await reading([PolicyAsked(ORDERS)], by=ADMIN)).value[0].tag]
        assert len(set(tags)) == len(tags)
        await store.use_cases.restore_dataset(ORDERS, by=ADMIN)
        await store.project()
        assert (await asked(store)).tag == tags[1], "the same answer as before it retired"

    play(story)


def test_whoever_has_the_answer_is_told_so(play: Play) -> None:
    async def story(store: Store) -> None:
        first = await asked(store)
        assert await asked(store, ORDERS, "x", first.tag) == Unchanged(
            ORDERS, first.terms, first.tag
        )
        await reconfigured(store, 1)
        now = await asked(store, ORDERS, first.tag)
        assert now.card.config_version == 2
        assert isinstance(await asked(store, ORDERS, now.tag), Unchanged)

    play(story)


def test_many_are_answered_in_their_order(play: Play) -> None:
    async def story(store: Store) -> None:
        await store.use_cases.register_dataset(DatasetReport(OTHER, SETTINGS), by=ADMIN)
        await store.project()
        tag = (await asked(store)).tag
        questions = [
            PolicyAsked(NOWHERE),
            PolicyAsked(ORDERS, (tag,)),
            PolicyAsked(OTHER, ("stale",)),
            PolicyAsked(ORDERS),
        ]
        told = (await store.use_cases.read_policies(questions, by=ADMIN)).value
        assert [one.dataset for one in told] == [NOWHERE, ORDERS, OTHER, ORDERS]
        assert [type(one) for one in told] == [Policy, Unchanged, Policy, Policy]
        assert [one.card and one.card.dataset for one in told if isinstance(one, Policy)] == [
            None,
            OTHER,
            ORDERS,
        ]

    play(story)


def test_a_change_of_ones_own_is_waited_for(play: Play) -> None:
    async def story(store: Store) -> None:
        first = await asked(store)
        settings = evolve(ENFORCED, tier=Tier.TIER_2)
        await store.use_cases.update_dataset(
            ORDERS, SettingsReport(settings, ["tier"]), expected_version=1, by=ADMIN
        )
        waiting = asyncio.create_task(asked(store, ORDERS, first.tag))
        assert (await asked(store, NOWHERE)).card is None
        assert not waiting.done()
        await store.project()
        assert (await waiting).card.settings.tier is Tier.TIER_2

    play(story)


def test_who_has_no_role_is_told_nothing(play: Play) -> None:
    async def story(store: Store) -> None:
        stranger = evolve(ADMIN, roles=frozenset())
        with pytest.raises(Forbidden):
            await store.use_cases.read_policies([PolicyAsked(ORDERS)], by=stranger)

    play(story)


@define
class Counted:
    """A register that counts what it is asked."""

    registry: DatasetReadModel
    named_ones: list[int] = field(factory=list)
    editions_asked: list[int] = field(factory=list)

    async def find_many(self, datasets: Collection[DatasetUrn]) -> Mapping[DatasetUrn, DatasetView]:
        self.named_ones.append(len(datasets))
        return await self.registry.find_many(datasets)

    async def editions(self, datasets: Collection[DatasetUrn]) -> Mapping[DatasetUrn, Edition]:
        self.editions_asked.append(len(datasets))
        return await self.registry.editions(datasets)


def test_what_is_unchanged_is_not_read(play: Play) -> None:
    """S0-216: many that are asked for again cost one look at their versions."""

    async def story(store: Store) -> None:
        many = [DatasetUrn(f"urn:dp:orders:d{number}:v1") for number in range(100)]
        for dataset in many:
            await store.use_cases.register_dataset(DatasetReport(dataset, ENFORCED), by=ADMIN)
        await store.project()
        usual = store.use_cases.read_policies
        counted = Counted((await current(usual.reads)).datasets)
        reading = evolve(usual, reads=replaced(usual.reads, datasets=counted))

        first = (await reading([PolicyAsked(one) for one in many], by=ADMIN)).value
        assert (counted.editions_asked, counted.named_ones) == ([0], [100])
        again = [PolicyAsked(one.dataset, (one.tag,)) for one in first]
        assert {type(one) for one in (await reading(again, by=ADMIN)).value} == {Unchanged}
        assert (counted.editions_asked, counted.named_ones) == ([0, 100], [100, 0])
        await reading([evolve(again[0], known=("stale",)), *again[1:]], by=ADMIN)
        assert counted.named_ones[-1] == 1

    play(story)
