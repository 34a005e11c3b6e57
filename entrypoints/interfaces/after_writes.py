"""What read models know by now of a write that was just answered: the dates, above all.

A write that is stored is not a failure because its card cannot be read yet.
"""

from application.caller import Caller
from application.dataset_reads import ReadDataset
from application.datasets import DatasetChanged
from application.errors import ApplicationError
from application.ports.registry import DatasetCard
from application.ports.resolution_map import RuleCard
from application.resolution import ListRules
from domain.errors import DomainError
from domain.ids import DatasetUrn
from domain.resolution import Rule


async def card_after(
    changed: DatasetChanged, reading: ReadDataset, by: Caller
) -> DatasetCard | None:
    """The dataset's card, if it shows the change."""
    try:
        card = await reading(changed.dataset, changed.config.config_version, by=by)
    except (DomainError, ApplicationError):
        return None
    return card if card.status is changed.config.status else None


async def rule_card_after(
    dataset: DatasetUrn, rule: Rule, listing: ListRules, by: Caller
) -> RuleCard | None:
    """The rule's card, if it shows the change."""
    try:
        cards = await listing(dataset, by=by)
    except (DomainError, ApplicationError):
        return None
    return next((card for card in cards if card.rule == rule), None)
