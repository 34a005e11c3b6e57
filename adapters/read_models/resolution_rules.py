"""Resolution rules by topic, read from their rows."""

from collections.abc import Sequence

from attrs import frozen

from adapters.row_layouts.catalogue import DATASET_RESOLUTION
from adapters.row_layouts.engine import RowReads
from adapters.row_layouts.projection_state_rows import rules_from_row, rules_key
from adapters.row_layouts.rule_rows import candidates, from_row, key_of
from application.datasets.resolution_read_model import RuleBookKey, RuleView
from domain.dataset.resolution_rules import OwnedRule
from domain.ids import DatasetUrn


@frozen
class TableRules:
    engine: RowReads

    async def rules_for(self, topic: str) -> Sequence[OwnedRule]:
        found: dict[object, RuleView] = {}
        for partition in candidates(topic):
            page = await self.engine.query(DATASET_RESOLUTION.name, partition)
            found |= {key_of(row): from_row(row) for row in page.rows}
        return [OwnedRule(card.owner, card.rule) for card in found.values()]

    async def rules_of(self, dataset: DatasetUrn) -> Sequence[RuleView]:
        rows = await self.engine.get([rules_key(RuleBookKey(dataset))])
        rules = [card for row in rows for card in rules_from_row(row).rules.values()]
        return sorted(rules, key=lambda card: card.rule.name)
