"""What a resolution rule means where it does not say everything."""

from domain.dataset.resolution_rules import ConditionOperator, ResolutionType

LONGEST_TOPIC = 249


def usual_priority(kind: ResolutionType) -> int:
    """Of a rule that names none."""
    return 100 if kind is ResolutionType.EXACT else 50


def likely_type(topic_pattern: str, *, conditional: bool) -> ResolutionType:
    """What an unreadable type may have meant, so that the rest can be judged by it."""
    if conditional:
        return ResolutionType.CONDITIONAL
    return ResolutionType.WILDCARD if "*" in topic_pattern else ResolutionType.EXACT


def likely_operator(value: object) -> ConditionOperator:
    """What an unreadable operator may have meant, so that the value can be judged by it."""
    if value is None:
        return ConditionOperator.EXISTS
    return ConditionOperator.IN if isinstance(value, list) else ConditionOperator.EQUALS
