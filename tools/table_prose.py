"""What people want to know of a table that its declaration does not say."""

from collections.abc import Mapping

from attrs import field, frozen

from adapters.row_layouts.catalogue import (
    COLUMN_READERS,
    COLUMN_WRITERS,
    DATASET_READERS,
    DATASET_REGISTRY,
    DATASET_RESOLUTION,
    DATASET_WRITERS,
    EVENT_LOG,
    EVIDENCE_CACHE,
    HEALTH_CHECK,
    INCIDENT_INDEX,
    PROJECTION_STATE,
    SIGNAL_STATE,
)


@frozen
class Prose:
    holds: str
    questions: Mapping[str, str] = field(factory=dict)
    schema: str | None = None
    attributes: Mapping[str, str] = field(factory=dict)
    """Where there is no schema."""
    kept: str = "for ever"
    """Where no policy says how long."""


def _lineage(verb: str, what: str) -> Prose:
    return Prose(
        f"Who {verb} a {what}: a row for each entity and each producer whose spec declares it.",
        {
            f"Who {verb} this {what}?": f"Query: `PK` = the {what}; an entity's rows lie together",
            "Is it still so?": "`ttl`: every read leaves out what has ended",
        },
        schema="lineage-index",
    )


PROSE: Mapping[str, Prose] = {
    SIGNAL_STATE.name: Prose(
        "Every signal of every dataset as it is now: a row for each.",
        {
            "How is this signal of this dataset?": "GetItem: `PK` = dataset, `SK` = signal type",
            "How is this dataset?": "Query: `PK` = dataset",
            "What is CRITICAL in tier 1?": (
                "Query `state-tier-index`: `breach_state` = CRITICAL, `breach_rank` begins with "
                "`TIER_1#`"
            ),
            "What is in breach?": "Query `state-tier-index` once for each state that is not OK",
        },
        schema="signal-state",
    ),
    INCIDENT_INDEX.name: Prose(
        "Incidents, open and resolved: a row for each.",
        {
            "What is this incident?": "GetItem: `PK` = `INC#` and its id, `SK` = `META`",
            "What happened to this dataset, between two moments?": (
                "Query `dataset-time-index`: `GSI1PK` = `DS#` and the dataset, `GSI1SK` between"
            ),
            "Which SEV_1 incidents are open?": (
                "Query `status-severity-index`: `GSI2PK` = `STATUS#OPEN`, `GSI2SK` begins with "
                "`SEV_1#`"
            ),
            "What is open?": "Query `status-severity-index`: `GSI2PK` = `STATUS#OPEN`",
        },
        schema="incident-index",
    ),
    DATASET_REGISTRY.name: Prose(
        "What is agreed about every dataset: a row for the latest version, and one for each older.",
        {
            "What is agreed about this dataset?": "GetItem: `SK` = `CONFIG#LATEST`",
            "What was agreed in version 11?": "GetItem: `SK` = `CONFIG#v11`",
            "Which datasets are in tier 1?": "Query `tier-index`: `listed_tier` = `ACTIVE#TIER_1`",
            "Which datasets does this team own?": (
                "Query `owner-index`: `listed_owner` = `ACTIVE#` and the team"
            ),
        },
        schema="dataset-registry",
    ),
    DATASET_RESOLUTION.name: Prose(
        "Resolution rules by topic. A rule with a wildcard has a second row, in a directory of "
        "patterns by their first segment.",
        {
            "Which rules may match this topic?": (
                "three Queries: `PK` = `TOPIC#` and the topic, `WILDCARD#` and its first segment, "
                "and `WILDCARD#*`"
            ),
        },
        attributes={
            "PK": "`TOPIC#` and the pattern, or `WILDCARD#` and its first segment.",
            "SK": "`RULE#`, the rule's name and its owner; in the directory the pattern as well.",
            "rule_name": "What the owner calls it.",
            "owner_urn": "The dataset whose rule it is.",
            "topic_pattern": "The topic, or a pattern with `*`.",
            "resolution_type": "`EXACT`, `WILDCARD` or `CONDITIONAL`.",
            "dataset_urn": "The dataset that it leads to; left out of CONDITIONAL ones.",
            "priority": "The greater one wins.",
            "conditions": (
                "Of CONDITIONAL ones: field (JSONPath), operator, value and the dataset each "
                "leads to."
            ),
            "default_dataset_urn": "Where a CONDITIONAL one leads if no condition holds.",
            "created_at": "When it was added.",
            "updated_at": "When it was last changed.",
            "position": "The position in the log of the fact that wrote the row.",
        },
    ),
    DATASET_WRITERS.name: _lineage("writes", "dataset"),
    DATASET_READERS.name: _lineage("reads", "dataset"),
    COLUMN_WRITERS.name: _lineage("writes", "column"),
    COLUMN_READERS.name: _lineage("reads", "column"),
    PROJECTION_STATE.name: Prose(
        "What projections remember for themselves: the facets of a dataset "
        "(`dataset-attributes#`), its rules (`rules#`), its faults with an open incident "
        "(`open-incidents#`) and what an entity writes (`entity-writes#`).",
        {
            "Which rules has this dataset?": "GetItem: `PK` = `rules#` and the dataset",
            "What is open for this dataset?": "GetItem: `PK` = `open-incidents#` and the dataset",
            "What does this entity write?": "Query: `PK` = `entity-writes#` and the entity",
        },
        attributes={
            "PK": "The kind and whom it is about.",
            "SK": "`STATE`, or for `entity-writes#` the dataset and the declaring producer.",
            "view": "What is remembered.",
            "ttl": "Only of `entity-writes#`: the first full second after the spec ends.",
            "position": "The position in the log of the fact that wrote the row.",
        },
        kept="for ever; of lineage, as long as the spec holds",
    ),
    EVIDENCE_CACHE.name: Prose(
        "Recent evidence, for finding causes: a copy of what the archive holds, which may be "
        "thrown away. Evidence of an open incident may be pinned: it has no `ttl` then.",
        {
            "What are these pieces of evidence?": "BatchGetItem: `evidence_id`, 100 at a time",
            "What was seen of this dataset lately?": (
                "Query `dataset-time-index`: `dataset_urn` = dataset, by `created_at`"
            ),
        },
        schema="evidence-cache",
    ),
    HEALTH_CHECK.name: Prose(
        "What a region's health is tried on, by writing and reading one row. The table is made; "
        "nothing writes to it yet.",
        {"Can this region write and read?": "PutItem and GetItem: `PK` = `health`"},
        attributes={"PK": "Always `health`.", "timestamp": "When it was last tried."},
    ),
    EVENT_LOG.name: Prose(
        "Every fact, in one order without gaps: the truth from which the other tables follow. "
        "Nothing of it ever expires. [The event log on DynamoDB](event-log.md) says what the items "
        "hold.",
        {
            "What happened after this position?": "Query: `PK` = `L#` and the block, by `SK`",
            "What happened to this stream?": "Query: `PK` = `S#` and the stream, by `SK`",
            "Who wakes me when something happened?": "the table's stream, which tells keys",
        },
        attributes={
            "PK": "What kind of item, and whose.",
            "SK": "The first position or version in it.",
        },
    ),
}
