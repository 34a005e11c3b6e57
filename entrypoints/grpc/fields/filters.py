"""What callers say lists should be narrowed to: read into ours, or told what is wrong."""

from domain.dataset.tier import Tier
from domain.errors import Violation

_LONGEST_TEAM = 100


def tier_said(tier: str, found: list[Violation]) -> Tier | None:
    if tier and tier not in Tier.__members__:
        found.append(Violation("tier", "UNKNOWN_VALUE", f"must be {', '.join(Tier)}"))
        return None
    return Tier(tier) if tier else None


def team_said(owner_team: str, found: list[Violation]) -> str | None:
    if len(owner_team) > _LONGEST_TEAM:
        said = f"must have at most {_LONGEST_TEAM} characters"
        found.append(Violation("owner_team", "TOO_LONG", said))
    return owner_team or None
