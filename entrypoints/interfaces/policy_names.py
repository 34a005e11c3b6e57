"""Policies that enforcers ask for: read into ours, or told what is wrong with them."""

from collections.abc import Sequence

from application.datasets.policies import PolicyAsked
from domain.errors import Violation
from entrypoints.interfaces.names import MOST_NAMES, dataset_named, refuse_too_many, within


def bare_tag(tag: str) -> str:
    """The tag without the quotes that HTTP puts around it; callers may send either."""
    return tag.removeprefix("W/").strip('"')


def policy_named(urn: str, known: str, found: list[Violation]) -> PolicyAsked:
    """A dataset, and the tag of the answer that the caller has; empty if it has none."""
    return PolicyAsked(dataset_named(urn, found), (bare_tag(known),) if known else ())


def policies_named(
    names: Sequence[tuple[str, str]], found: list[Violation], *, field: str = "policies"
) -> Sequence[PolicyAsked]:
    """Many at once. What is wrong is told by its place."""
    refuse_too_many(names, found, field)
    asked = []
    for number, (urn, known) in enumerate(names[:MOST_NAMES]):
        wrong: list[Violation] = []
        asked.append(policy_named(urn, known, wrong))
        if wrong:
            found += within(f"{field}[{number}]", wrong)
    return asked
