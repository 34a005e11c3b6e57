"""
Resolution rules as rows of `observability-dataset-resolution`.

    PK                       SK
    TOPIC#raw.orders.events  RULE#default#urn:dp:…:v1
    TOPIC#raw.orders.*       RULE#by-type#urn:dp:…:v1
    WILDCARD#raw             RULE#by-type#urn:dp:…:v1#raw.orders.*     the same rule again

Two datasets may use one name, so the owner is part of the sort key (T13). A rule whose pattern
has a `*` has a second row in a directory, under the pattern's first segment (up to the first
dot), or under `*` when that segment itself has the wildcard. Three partitions thus hold every
rule that may match a topic, and none is ever searched for by a scan.
"""

from collections.abc import Sequence

from adapters.row_layouts.attributes import present
from adapters.row_layouts.catalogue import DATASET_RESOLUTION
from adapters.row_layouts.engine import Row, RowKey
from adapters.row_layouts.nested import converter
from application.datasets.resolution_read_model import RuleView, TopicRuleKey
from domain.dataset.resolution_rules import Condition, ResolutionType, Rule
from domain.ids import DatasetUrn
from domain.timestamps import moment, stamp

ANYWHERE = "WILDCARD#*"


def row_keys(key: TopicRuleKey) -> Sequence[RowKey]:
    """Where the rule lies: first by its topic, then in the directory of patterns."""
    sk = f"RULE#{key.name}#{key.owner}"
    by_topic = RowKey(DATASET_RESOLUTION.name, f"TOPIC#{key.topic_pattern}", sk)
    if "*" not in key.topic_pattern:
        return [by_topic]
    # The pattern makes the key unique: while a rule moves, its old and new rows may both be here.
    directory = RowKey(
        DATASET_RESOLUTION.name, _directory(key.topic_pattern), f"{sk}#{key.topic_pattern}"
    )
    return [by_topic, directory]


def key_of(row: Row) -> TopicRuleKey:
    return TopicRuleKey(row["topic_pattern"], row["rule_name"], DatasetUrn(row["owner_urn"]))


def candidates(topic: str) -> Sequence[str]:
    """The partitions that hold every rule which may match the topic."""
    return [f"TOPIC#{topic}", f"WILDCARD#{_first_segment(topic)}", ANYWHERE]


def _directory(pattern: str) -> str:
    first = _first_segment(pattern)
    return ANYWHERE if "*" in first else f"WILDCARD#{first}"


def _first_segment(topic: str) -> str:
    return topic.partition(".")[0]


# Writing.


def to_rows(card: RuleView, position: int) -> Sequence[Row]:
    key = TopicRuleKey(card.rule.topic_pattern, card.rule.name, card.owner)
    return [_row(card, place, position) for place in row_keys(key)]


def _row(card: RuleView, place: RowKey, position: int) -> Row:
    rule = card.rule
    conditional = rule.resolution_type is ResolutionType.CONDITIONAL
    return present(
        {
            "PK": place.pk,
            "SK": place.sk,
            "rule_name": rule.name,
            "owner_urn": card.owner,
            "topic_pattern": rule.topic_pattern,
            "resolution_type": rule.resolution_type.value,
            "dataset_urn": None if conditional else card.owner,
            "priority": rule.priority,
            "conditions": converter().unstructure(rule.conditions) or None,
            "default_dataset_urn": rule.default_dataset_urn,
            "created_at": stamp(card.created_at),
            "updated_at": stamp(card.updated_at),
            "position": position,
        }
    )


# Reading.


def from_row(row: Row) -> RuleView:
    default = row.get("default_dataset_urn")
    conditions = converter().structure(row.get("conditions", []), tuple[Condition, ...])
    rule = Rule(
        name=row["rule_name"],
        topic_pattern=row["topic_pattern"],
        resolution_type=ResolutionType(row["resolution_type"]),
        priority=int(row["priority"]),
        conditions=conditions,
        default_dataset_urn=None if default is None else DatasetUrn(default),
    )
    return RuleView(
        owner=DatasetUrn(row["owner_urn"]),
        rule=rule,
        created_at=moment(row["created_at"]),
        updated_at=moment(row["updated_at"]),
    )
