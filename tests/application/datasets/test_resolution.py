"""Keeping resolution rules and resolving with them, on every engine (S0-090..S0-099)."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from attrs import evolve

from domain.dataset.resolution_rules import Condition, ConditionOperator, ResolutionType, Rule
from domain.dataset.rule_validation import RuleReport
from domain.dataset.settings import ContractBinding, FieldConstraint, FieldType
from domain.dataset.settings_validation import DatasetReport, SettingsReport
from domain.errors import AlreadyExists, Impossible, Invalid, NotFound
from domain.ids import DatasetUrn
from tests.application.store import ADMIN, ENGINES, ORDERS, SETTINGS, Store, open_store

CANCELLED = DatasetUrn("urn:dp:orders:order_cancelled:v1")
EXACT = Rule("", "raw.orders.events", ResolutionType.EXACT, 100)
BY_TYPE = Rule(
    "by-type",
    "raw.orders.*",
    ResolutionType.CONDITIONAL,
    50,
    (Condition("$.event_type", ConditionOperator.EQUALS, CANCELLED, "order_cancelled"),),
    ORDERS,
)

Story = Callable[[Store], Awaitable[None]]
Play = Callable[[Story], None]


@pytest.fixture(params=ENGINES)
def play(request: pytest.FixtureRequest, tmp_path: Path) -> Play:
    def played(story: Story) -> None:
        async def scene() -> None:
            async with open_store(request.param, tmp_path) as store:
                for urn in (ORDERS, CANCELLED):
                    await store.use_cases.register_dataset(DatasetReport(urn, SETTINGS), by=ADMIN)
                await story(store)

        asyncio.run(scene())

    return played


async def resolved(store: Store, topic: str, payload: object = None) -> str | None:
    await store.project()
    answer = await store.use_cases.resolve_dataset(topic, payload, by=ADMIN)
    dataset: str | None = answer.resolution.dataset
    return dataset


def test_a_rule_without_a_name_gets_one_and_is_not_added_twice(play: Play) -> None:
    async def story(store: Store) -> None:
        _, first = await store.use_cases.add_rule(ORDERS, RuleReport(EXACT), by=ADMIN)
        _, again = await store.use_cases.add_rule(ORDERS, RuleReport(EXACT), by=ADMIN)
        _, other = await store.use_cases.add_rule(
            ORDERS, RuleReport(evolve(EXACT, topic_pattern="raw.x")), by=ADMIN
        )
        assert (first.name, again.name, other.name) == ("default", "default", "default-2")
        await store.project()
        assert [
            card.rule.name for card in (await store.use_cases.list_rules(ORDERS, by=ADMIN)).value
        ] == [
            "default",
            "default-2",
        ]

    play(story)


def test_the_higher_priority_wins_and_says_why(play: Play) -> None:
    async def story(store: Store) -> None:
        await store.use_cases.add_rule(CANCELLED, RuleReport(evolve(EXACT, priority=40)), by=ADMIN)
        await store.use_cases.add_rule(ORDERS, RuleReport(BY_TYPE), by=ADMIN)
        await store.project()
        answer = await store.use_cases.resolve_dataset(
            "raw.orders.events", {"event_type": "x"}, by=ADMIN
        )
        assert answer.resolution.dataset == ORDERS
        assert answer.resolution.steps[-1].reason == "no condition holds; the default applies"
        assert await resolved(store, "raw.orders.a", {"event_type": "order_cancelled"}) == CANCELLED
        assert await resolved(store, "raw.payments.a", {}) is None

    play(story)


def test_rules_are_changed_and_removed(play: Play) -> None:
    async def story(store: Store) -> None:
        await store.use_cases.add_rule(ORDERS, RuleReport(evolve(EXACT, name="r")), by=ADMIN)
        await store.use_cases.change_rule(
            ORDERS, RuleReport(evolve(EXACT, name="r", topic_pattern="raw.b")), by=ADMIN
        )
        assert await resolved(store, "raw.orders.events") is None
        assert await resolved(store, "raw.b") == ORDERS
        await store.use_cases.remove_rule(ORDERS, "r", by=ADMIN)
        assert await resolved(store, "raw.b") is None
        with pytest.raises(NotFound):
            await store.use_cases.remove_rule(ORDERS, "r", by=ADMIN)

    play(story)


def test_the_rules_of_a_retired_dataset_rest(play: Play) -> None:
    async def story(store: Store) -> None:
        await store.use_cases.add_rule(ORDERS, RuleReport(EXACT), by=ADMIN)
        await store.use_cases.retire_dataset(ORDERS, by=ADMIN)
        assert await resolved(store, "raw.orders.events") is None
        with pytest.raises(Impossible):
            await store.use_cases.add_rule(ORDERS, RuleReport(BY_TYPE), by=ADMIN)
        await store.use_cases.restore_dataset(ORDERS, by=ADMIN)
        assert await resolved(store, "raw.orders.events") == ORDERS

    play(story)


def test_a_rule_that_cannot_work_is_refused_with_every_reason(play: Play) -> None:
    async def story(store: Store) -> None:
        bad = evolve(
            BY_TYPE,
            topic_pattern="raw orders",
            priority=-1,
            conditions=(evolve(BY_TYPE.conditions[0], field="event_type"),),
        )
        with pytest.raises(Invalid) as told:
            await store.use_cases.add_rule(ORDERS, RuleReport(bad), by=ADMIN)
        assert {v.field for v in told.value.violations} == {
            "topic_pattern",
            "priority",
            "conditions[0].field",
        }
        await store.use_cases.add_rule(ORDERS, RuleReport(BY_TYPE), by=ADMIN)
        with pytest.raises(AlreadyExists):
            await store.use_cases.add_rule(
                ORDERS, RuleReport(evolve(BY_TYPE, priority=1)), by=ADMIN
            )

    play(story)


def test_a_payload_is_held_against_the_contract(play: Play) -> None:
    """S0-079"""
    contract = ContractBinding(
        "dc:orders:1",
        ("order_id",),
        {
            "amount": FieldConstraint(FieldType.NUMBER, min=0),
            "customer": FieldConstraint(FieldType.STRING, pattern="^cust-[a-z0-9]+$"),
        },
    )

    async def story(store: Store) -> None:
        bound = evolve(SETTINGS, contract_binding=contract)
        await store.use_cases.update_dataset(
            ORDERS, SettingsReport(bound, ["contract_binding"]), expected_version=1, by=ADMIN
        )
        await store.use_cases.add_rule(ORDERS, RuleReport(EXACT), by=ADMIN)
        await store.project()
        payload = {"amount": -1, "customer": "CUST"}
        answer = await store.use_cases.resolve_dataset("raw.orders.events", payload, by=ADMIN)
        assert {v.field for v in answer.broken} == {"order_id", "amount", "customer"}
        good = {"order_id": 1, "amount": 2, "customer": "cust-1"}
        assert not (
            await store.use_cases.resolve_dataset("raw.orders.events", good, by=ADMIN)
        ).broken

    play(story)
