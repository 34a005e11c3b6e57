"""What read models know by now of a write that was just answered: the dates, above all.

A write that is stored is not a failure because its card cannot be read yet.
"""

from application.caller import Caller
from application.datasets.commands import DatasetChanged
from application.datasets.queries import ReadDataset
from application.datasets.read_model import DatasetView
from application.datasets.resolution import ListRules
from application.datasets.resolution_read_model import RuleView
from application.errors import ApplicationError
from domain.dataset.resolution_rules import Rule
from domain.errors import DomainError
from domain.ids import DatasetUrn


async def card_after(
    changed: DatasetChanged, reading: ReadDataset, by: Caller
) -> DatasetView | None:
    """The dataset's card, if it shows the change."""
    try:
        answer = await reading(changed.dataset, changed.config.config_version, by=by)
    except (DomainError, ApplicationError):
        return None
    card = answer.value
    return card if card.status is changed.config.status else None


async def rule_card_after(
    dataset: DatasetUrn, rule: Rule, listing: ListRules, by: Caller
) -> RuleView | None:
    """The rule's card, if it shows the change."""
    try:
        answer = await listing(dataset, by=by)
    except (DomainError, ApplicationError):
        return None
    return next((card for card in answer.value if card.rule == rule), None)
