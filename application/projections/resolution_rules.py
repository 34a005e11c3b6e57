"""Resolution rules by topic: those of active datasets only."""

from collections.abc import Iterable

from attrs import evolve, frozen

from application.datasets.resolution_read_model import RuleBook, RuleBookKey, RuleView, TopicRuleKey
from application.projections.projection import Changes, View
from application.projections.view_store import Group, Key
from application.recorded import Recorded
from domain.dataset import config
from domain.dataset.resolution_rules import Rule
from domain.stream_categories import dataset_of

RESOLUTION_MAP = "dataset-resolution"

_CONCERNED = frozenset(
    {
        config.Registered,
        config.Retired,
        config.Restored,
        config.RuleAdded,
        config.RuleChanged,
        config.RuleRemoved,
    }
)


@frozen
class RuleCards:
    name: str = RESOLUTION_MAP

    def concerns(self, fact: object, version: int) -> bool:
        return type(fact) in _CONCERNED

    def keys(self, recorded: Recorded) -> Iterable[Key]:
        if type(recorded.fact) in _CONCERNED:
            yield RuleBookKey(dataset_of(recorded.stream))

    def groups(self, recorded: Recorded) -> Iterable[Group]:
        return ()

    def after(self, view: View, recorded: Recorded) -> Changes:
        if type(recorded.fact) not in _CONCERNED:
            return
        key = RuleBookKey(dataset_of(recorded.stream))
        before = view.get(key) or RuleBook(key.dataset)
        then = _book_after(before, recorded)
        yield key, then
        yield from _difference(_topics(before), _topics(then))


def _book_after(book: RuleBook, recorded: Recorded) -> RuleBook:
    match recorded.fact:
        case config.Retired():
            return evolve(book, retired=True)
        case config.Restored():
            return evolve(book, retired=False)
        case config.RuleAdded(rule) | config.RuleChanged(rule):
            return evolve(book, rules={**book.rules, rule.name: _written(book, rule, recorded)})
        case config.RuleRemoved(name):
            rest = {other: card for other, card in book.rules.items() if other != name}
            return evolve(book, rules=rest)
        case _:
            return book


def _written(book: RuleBook, rule: Rule, recorded: Recorded) -> RuleView:
    earlier = book.rules.get(rule.name)
    created_at = earlier.created_at if earlier else recorded.at
    return RuleView(book.dataset, rule, created_at, updated_at=recorded.at)


def _topics(book: RuleBook) -> dict[TopicRuleKey, RuleView]:
    if book.retired:
        return {}
    return {
        TopicRuleKey(card.rule.topic_pattern, card.rule.name, card.owner): card
        for card in book.rules.values()
    }


def _difference(
    before: dict[TopicRuleKey, RuleView], then: dict[TopicRuleKey, RuleView]
) -> Changes:
    for gone in before.keys() - then.keys():
        yield gone, None
    for key, card in then.items():
        if before.get(key) != card:
            yield key, card
