"""Resolution rules by topic: those of active datasets only."""

import pytest

from application.datasets.resolution_read_model import RuleBook, RuleBookKey, TopicRuleKey
from application.projections.resolution_rules import RuleCards
from tests.application.projections.story import ORDERS, PAYMENTS, Story, registered, run

BATCHES = pytest.mark.parametrize("most", [1, 2, 1000], ids="{}_a_batch".format)


def topics(story: Story, most: int = 1000) -> list[str]:
    keys = run(RuleCards(), story, most=most).now()
    return sorted(key.topic_pattern for key in keys if isinstance(key, TopicRuleKey))


def book(story: Story) -> RuleBook:
    found: RuleBook = run(RuleCards(), story).card(RuleBookKey(ORDERS))
    return found


@BATCHES
def test_a_rule_is_found_by_its_topic(most: int) -> None:
    assert topics(registered().add_rule("raw.a"), most) == ["raw.a"]


@BATCHES
def test_a_changed_pattern_moves_the_rule(most: int) -> None:
    assert topics(registered().add_rule("raw.a.*").change_rule("raw.b.*"), most) == ["raw.b.*"]


@BATCHES
def test_a_pattern_that_comes_back_is_found_again(most: int) -> None:
    """Forth and back in one batch: the row is written, not taken away."""
    story = registered().add_rule("raw.a.*").change_rule("raw.b.*").change_rule("raw.a.*")
    assert topics(story, most) == ["raw.a.*"]


@BATCHES
def test_a_removed_rule_is_gone(most: int) -> None:
    assert topics(registered().add_rule("raw.a").remove_rule(), most) == []


@BATCHES
def test_rules_of_retired_datasets_do_not_resolve(most: int) -> None:
    story = registered().add_rule("raw.a").add_rule("raw.b.*", "s").retire()
    assert topics(story, most) == []
    assert set(book(story).rules) == {"r", "s"}


@BATCHES
def test_those_of_restored_ones_do_again(most: int) -> None:
    story = registered().add_rule("raw.a").add_rule("raw.b.*", "s").retire().restore()
    assert topics(story, most) == ["raw.a", "raw.b.*"]


def test_two_datasets_may_use_one_name_and_topic() -> None:
    """T13"""
    story = registered().register(PAYMENTS).add_rule("raw.a").add_rule("raw.a", dataset=PAYMENTS)
    assert topics(story) == ["raw.a", "raw.a"]


def test_a_rule_knows_when_it_was_written() -> None:
    story = registered().add_rule("raw.a")
    created_at = story.now
    card = book(story.change_rule("raw.b")).rules["r"]
    assert (card.created_at, card.updated_at) == (created_at, story.now)


def test_a_dataset_without_rules_has_an_empty_book() -> None:
    assert book(registered()) == RuleBook(ORDERS)
