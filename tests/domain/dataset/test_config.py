"""A dataset's configuration: facts given, a decision, facts expected."""

from collections.abc import Callable, Sequence
from functools import reduce

import pytest
from attrs import evolve

from domain.dataset.config import (
    MOST_RULES,
    DatasetConfig,
    DatasetFact,
    DatasetStatus,
    Reconfigured,
    Registered,
    Restored,
    Retired,
    RuleAdded,
    RuleChanged,
    RuleRemoved,
)
from domain.dataset.resolution_rules import ResolutionType, Rule
from domain.dataset.settings import PiiPolicy, Settings
from domain.dataset.tier import Tier
from domain.errors import AlreadyExists, Impossible, NotFound, VersionMismatch
from domain.ids import DatasetUrn
from domain.versions import ANY_VERSION

ORDERS = DatasetUrn("urn:dp:orders:order_created:v1")
SETTINGS = Settings(display_name="Orders", owner_team="orders", tier=Tier.TIER_1)
REGISTERED = Registered(ORDERS, SETTINGS)
RULE = Rule("default", "raw.orders.events", ResolutionType.EXACT, 100)
OTHER_RULE = Rule("other", "raw.orders.*", ResolutionType.WILDCARD, 50)


def given(*facts: DatasetFact) -> DatasetConfig:
    return reduce(DatasetConfig.after, facts, DatasetConfig())


# Registering


def test_before_anything_happened_there_is_nothing() -> None:
    assert given() == DatasetConfig(DatasetStatus.UNREGISTERED, 0, Settings(), {})


def test_registering_records_the_settings() -> None:
    assert given().register(ORDERS, SETTINGS) == [REGISTERED]
    assert given(REGISTERED) == DatasetConfig(DatasetStatus.ACTIVE, 1, SETTINGS, {})


@pytest.mark.parametrize(
    "facts", [[REGISTERED], [REGISTERED, Retired()]], ids=["active", "retired"]
)
def test_a_name_is_registered_once(facts: list[DatasetFact]) -> None:
    with pytest.raises(AlreadyExists) as caught:
        given(*facts).register(ORDERS, SETTINGS)
    assert (caught.value.what, caught.value.name, caught.value.version) == ("dataset", ORDERS, 1)
    assert str(caught.value) == f"dataset {ORDERS} exists already, at version 1"


# Updating


def test_an_update_records_exactly_the_fields_that_changed() -> None:
    to = evolve(SETTINGS, tier=Tier.TIER_2, owner_team="payments", description="unnamed")
    named = ["tier", "display_name", "owner_team"]
    assert given(REGISTERED).reconfigure(named, to, expected_version=1) == [
        Reconfigured(
            ("tier", "owner_team"),
            Settings(tier=Tier.TIER_2, owner_team="payments"),
            config_version=2,
        )
    ]


def test_a_field_named_twice_changes_once() -> None:
    [fact] = given(REGISTERED).reconfigure(
        ["tier", "tier"], evolve(SETTINGS, tier=Tier.TIER_2), expected_version=1
    )
    assert isinstance(fact, Reconfigured)
    assert fact.fields == ("tier",)


def test_after_an_update_the_other_fields_are_as_they_were() -> None:
    update = Reconfigured(("description",), Settings(description="Orders, as created"), 2)
    now = given(REGISTERED, update)
    assert now.settings == evolve(SETTINGS, description="Orders, as created")
    assert now.config_version == 2


def test_a_field_can_be_emptied() -> None:
    full = evolve(SETTINGS, pii_policy=PiiPolicy(True), retention_days=90)
    config = given(Registered(ORDERS, full))
    facts = config.reconfigure(["pii_policy", "retention_days"], SETTINGS, expected_version=1)
    assert given(Registered(ORDERS, full), *facts).settings == SETTINGS


def test_an_update_that_changes_nothing_records_nothing() -> None:
    named = ["tier", "owner_team"]
    assert given(REGISTERED).reconfigure(named, SETTINGS, expected_version=1) == []
    assert given(REGISTERED).reconfigure([], Settings(), expected_version=ANY_VERSION) == []


@pytest.mark.parametrize("stale", [0, 1, 3, -2])
def test_an_update_of_another_version_is_refused(stale: int) -> None:
    config = given(REGISTERED, Reconfigured(("tier",), Settings(tier=Tier.TIER_2), 2))
    with pytest.raises(VersionMismatch) as caught:
        config.reconfigure(["tier"], SETTINGS, expected_version=stale)
    assert caught.value.what == "dataset"
    assert (caught.value.expected, caught.value.current) == (stale, 2)


@pytest.mark.parametrize("expected", [1, ANY_VERSION])
def test_an_update_of_the_right_or_any_version_is_accepted(expected: int) -> None:
    to = evolve(SETTINGS, tier=Tier.TIER_2)
    assert len(given(REGISTERED).reconfigure(["tier"], to, expected_version=expected)) == 1


# Retiring


def test_a_dataset_is_retired_and_restored() -> None:
    assert given(REGISTERED).retire() == [Retired()]
    assert given(REGISTERED, Retired()).restore() == [Restored()]
    assert given(REGISTERED, Retired(), Restored()) == given(REGISTERED)


def test_retiring_and_restoring_twice_records_nothing() -> None:
    assert given(REGISTERED, Retired()).retire() == []
    assert given(REGISTERED).restore() == []


def test_retiring_keeps_the_settings_the_version_and_the_rules() -> None:
    before = given(REGISTERED, RuleAdded(RULE))
    assert before.after(Retired()) == evolve(before, status=DatasetStatus.RETIRED)


def test_a_retired_dataset_cannot_be_changed() -> None:
    retired = given(REGISTERED, RuleAdded(RULE), Retired())
    attempts: list[Callable[[], Sequence[DatasetFact]]] = [
        lambda: retired.reconfigure(["tier"], SETTINGS, expected_version=1),
        lambda: retired.add_rule(OTHER_RULE),
        lambda: retired.change_rule(RULE),
        lambda: retired.remove_rule("default"),
    ]
    for attempt in attempts:
        with pytest.raises(Impossible) as caught:
            attempt()
        assert (caught.value.what, caught.value.status) == ("dataset", DatasetStatus.RETIRED)


def test_a_refusal_says_what_was_attempted() -> None:
    with pytest.raises(Impossible, match="cannot update dataset: it is RETIRED"):
        given(REGISTERED, Retired()).reconfigure(["tier"], SETTINGS, expected_version=1)


def test_nothing_is_possible_before_the_registration() -> None:
    nothing = given()
    for attempt in (
        nothing.retire,
        nothing.restore,
        lambda: nothing.reconfigure(["tier"], SETTINGS, expected_version=ANY_VERSION),
        lambda: nothing.add_rule(RULE),
        lambda: nothing.change_rule(RULE),
        lambda: nothing.remove_rule("default"),
    ):
        with pytest.raises(Impossible) as caught:
            attempt()
        assert (caught.value.what, caught.value.status) == ("dataset", DatasetStatus.UNREGISTERED)


# Rules


def test_a_rule_is_added_changed_and_removed() -> None:
    changed = evolve(RULE, priority=7)
    assert given(REGISTERED).add_rule(RULE) == [RuleAdded(RULE)]
    assert given(REGISTERED, RuleAdded(RULE)).change_rule(changed) == [RuleChanged(changed)]
    assert given(REGISTERED, RuleAdded(RULE)).remove_rule("default") == [RuleRemoved("default")]


def test_the_rules_are_those_added_as_last_changed_without_those_removed() -> None:
    changed = evolve(RULE, priority=7)
    facts = (REGISTERED, RuleAdded(RULE), RuleAdded(OTHER_RULE), RuleChanged(changed))
    assert given(*facts).rules == {"default": changed, "other": OTHER_RULE}
    assert given(*facts, RuleRemoved("default")).rules == {"other": OTHER_RULE}


def test_rules_do_not_count_as_versions_of_the_configuration() -> None:
    assert given(REGISTERED, RuleAdded(RULE), RuleRemoved("default")).config_version == 1


def test_adding_or_changing_to_the_same_rule_records_nothing() -> None:
    config = given(REGISTERED, RuleAdded(RULE))
    assert config.add_rule(RULE) == []
    assert config.change_rule(RULE) == []


def test_two_rules_cannot_have_one_name() -> None:
    with pytest.raises(AlreadyExists) as caught:
        given(REGISTERED, RuleAdded(RULE)).add_rule(evolve(RULE, priority=7))
    assert (caught.value.what, caught.value.name) == ("resolution rule", "default")


def test_a_rule_that_is_not_there_cannot_be_changed_or_removed() -> None:
    config = given(REGISTERED, RuleAdded(RULE))
    attempts: list[Callable[[], Sequence[DatasetFact]]] = [
        lambda: config.change_rule(OTHER_RULE),
        lambda: config.remove_rule("other"),
    ]
    for attempt in attempts:
        with pytest.raises(NotFound) as caught:
            attempt()
        assert (caught.value.what, caught.value.name) == ("resolution rule", "other")
        assert str(caught.value) == "resolution rule other does not exist"


def test_the_number_of_rules_is_limited() -> None:
    rules = [RuleAdded(evolve(RULE, name=f"rule-{n}")) for n in range(MOST_RULES)]
    assert given(REGISTERED, *rules[1:]).add_rule(RULE) == [RuleAdded(RULE)]
    with pytest.raises(Impossible, match="limit of 100 rules"):
        given(REGISTERED, *rules).add_rule(RULE)


def test_a_rule_without_a_name_is_given_a_free_one() -> None:
    second = evolve(RULE, name="default-2")
    assert given(REGISTERED).free_rule_name() == "default"
    assert given(REGISTERED, RuleAdded(RULE)).free_rule_name() == "default-2"
    assert given(REGISTERED, RuleAdded(second)).free_rule_name() == "default"
    assert given(REGISTERED, RuleAdded(RULE), RuleAdded(second)).free_rule_name() == "default-3"


def test_there_is_a_free_name_even_at_the_limit_of_rules() -> None:
    names = ["default", *(f"default-{n}" for n in range(2, MOST_RULES + 1))]
    full = given(REGISTERED, *(RuleAdded(evolve(RULE, name=name)) for name in names))
    assert full.free_rule_name() == f"default-{MOST_RULES + 1}"
