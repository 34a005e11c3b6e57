"""
What rows are called in caches (S0-225).

    name             holds
    ss:{urn}:{type}  a signal
    dc:{urn}:LATEST  the present configuration of a dataset, `v11` an old one
    rr:{pattern}     the rules of a topic pattern
    rd:{segment}     the rules whose patterns have wildcards, by first segment

Rows of a later generation of their table have other names (`ss@g2:…`): a rebuild is seen at once.
"""

from attrs import frozen

from adapters.generations.generation_tables import Numbers
from adapters.row_layouts.catalogue import DATASET_REGISTRY, DATASET_RESOLUTION, SIGNAL_STATE
from adapters.row_layouts.engine import RowKey

_TOPIC, _CONFIG = "TOPIC#", "CONFIG#"

PROJECTIONS = {
    SIGNAL_STATE.name: "signal-state",
    DATASET_REGISTRY.name: "dataset-registry",
    DATASET_RESOLUTION.name: "dataset-resolution",
}
"""The tables that are cached, and who fills them."""


@frozen(cache_hash=True)
class Name:
    """`where` is the row's key; without `sk` all rows of the partition are meant."""

    text: str
    where: RowKey

    @property
    def table(self) -> str:
        return self.where.table


def name_of(key: RowKey, numbers: Numbers) -> Name | None:
    """The name under which the row is cached; nothing if rows of its table are not."""
    number = numbers.get(PROJECTIONS.get(key.table, ""), 1) if numbers else 1
    generation = "" if number == 1 else f"@g{number}"
    if key.table == SIGNAL_STATE.name:
        return Name(f"ss{generation}:{key.pk}:{key.sk}", key)
    if key.table == DATASET_REGISTRY.name:
        return Name(f"dc{generation}:{key.pk}:{key.sk.removeprefix(_CONFIG)}", key)
    if key.table == DATASET_RESOLUTION.name:
        return _of_rules(key.pk, generation)
    return None


def _of_rules(pk: str, generation: str) -> Name:
    where = RowKey(DATASET_RESOLUTION.name, pk)
    if pk.startswith(_TOPIC):
        return Name(f"rr{generation}:{pk.removeprefix(_TOPIC)}", where)
    return Name(f"rd{generation}:{pk.partition('#')[2]}", where)
