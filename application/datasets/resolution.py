"""Resolution rules: keeping them, and resolving topics with them."""

from collections.abc import Callable, Mapping, Sequence

from attrs import evolve, frozen

from application.caller import Caller
from application.datasets.commands import DatasetChanged, decide_on, known
from application.datasets.read_model import DatasetView
from application.datasets.resolution_read_model import RuleView
from application.ports.access import Access
from application.ports.patterns import Patterns
from application.ports.payloads import Payloads
from application.ports.streams import Streams
from application.projections.datasets import REGISTRY
from application.projections.resolution_rules import RESOLUTION_MAP
from application.reads.consistency import Reads
from application.reads.demand import NOTHING, Answer, Demand
from domain.dataset.config import DatasetConfig, DatasetFact
from domain.dataset.contract import broken
from domain.dataset.resolution_rules import Resolution, Rule, resolve
from domain.dataset.rule_validation import RuleReport
from domain.errors import NotFound, Violation
from domain.ids import DatasetUrn


@frozen
class AddRule:
    streams: Streams
    access: Access
    payloads: Payloads

    async def __call__(
        self, dataset: DatasetUrn, report: RuleReport, *, by: Caller
    ) -> tuple[DatasetChanged, Rule]:
        """Add the rule. One without a name gets a free one; an equal one is not added twice.

        Raises:
            Invalid: With everything that is wrong with the rule.
            AlreadyExists: Another rule of the dataset has the name.
        """
        await self.access.permit(by, "rule:add", dataset)
        rule = report.parse(self.payloads.problem, unnamed=_UNNAMED)
        if report.rule.name:
            changed = await self._decide(dataset, lambda config: config.add_rule(rule), by)
            return changed, changed.config.rules[rule.name]
        changed = await self._decide(dataset, lambda config: _add_once(config, rule), by)
        return changed, _twin(changed.config, rule) or rule

    async def _decide(
        self,
        dataset: DatasetUrn,
        decide: Callable[[DatasetConfig], Sequence[DatasetFact]],
        by: Caller,
    ) -> DatasetChanged:
        return await decide_on(
            self.streams, dataset, lambda config: decide(known(config, dataset)), by
        )


_UNNAMED = "default"
"""Stands for the name of a rule that was sent without one, until it gets a free one."""


def _add_once(config: DatasetConfig, rule: Rule) -> Sequence[DatasetFact]:
    if _twin(config, rule):
        return []
    return config.add_rule(evolve(rule, name=config.free_rule_name()))


def _twin(config: DatasetConfig, rule: Rule) -> Rule | None:
    """The rule that is the same but for its name."""
    same = (one for one in config.rules.values() if evolve(one, name=rule.name) == rule)
    return next(same, None)


@frozen
class ChangeRule:
    streams: Streams
    access: Access
    payloads: Payloads

    async def __call__(
        self, dataset: DatasetUrn, report: RuleReport, *, by: Caller
    ) -> DatasetChanged:
        """Raises Invalid, or NotFound if the dataset has no rule of that name."""
        await self.access.permit(by, "rule:change", dataset)
        rule = report.parse(self.payloads.problem)
        return await decide_on(
            self.streams, dataset, lambda config: known(config, dataset).change_rule(rule), by
        )


@frozen
class RemoveRule:
    streams: Streams
    access: Access

    async def __call__(self, dataset: DatasetUrn, name: str, *, by: Caller) -> DatasetChanged:
        """Raises NotFound if the dataset has no rule of that name."""
        await self.access.permit(by, "rule:remove", dataset)
        return await decide_on(
            self.streams, dataset, lambda config: known(config, dataset).remove_rule(name), by
        )


@frozen
class ListRules:
    reads: Reads
    access: Access

    async def __call__(
        self, dataset: DatasetUrn, *, demand: Demand = NOTHING, by: Caller
    ) -> Answer[Sequence[RuleView]]:
        """Raises NotFound if there is no such dataset."""
        await self.access.permit(by, "rule:read", dataset)
        reader = await self.reads.open(
            demand, by=by, projections=[REGISTRY, RESOLUTION_MAP], about=[dataset]
        )
        if await reader.datasets.find(dataset) is None:
            raise NotFound("dataset", dataset)
        return reader.answer(await reader.rules.rules_of(dataset))


@frozen
class Resolved:
    """Which dataset, by which steps, and what of its contract the payload breaks."""

    resolution: Resolution
    dataset: DatasetView | None
    broken: Sequence[Violation]


@frozen
class ResolveDataset:
    """Find the dataset that a topic and a payload belong to (S0-093..S0-098)."""

    reads: Reads
    access: Access
    payloads: Payloads
    patterns: Patterns

    async def __call__(self, topic: str, payload: object, *, by: Caller) -> Resolved:
        await self.access.permit(by, "rule:resolve", topic)
        reader = await self.reads.open_now(by=by, projections=[RESOLUTION_MAP])
        candidates = await reader.rules.rules_for(topic)
        resolution = resolve(candidates, topic, lambda path: self.payloads.values(path, payload))
        if resolution.dataset is None:
            return Resolved(resolution, None, ())
        card = await reader.datasets.find(resolution.dataset)
        return Resolved(resolution, card, self._broken(card, payload))

    def _broken(self, card: DatasetView | None, payload: object) -> Sequence[Violation]:
        binding = card.settings.contract_binding if card else None
        if binding is None or not isinstance(payload, Mapping):
            return ()
        return broken(binding, payload, self.patterns.matches)
