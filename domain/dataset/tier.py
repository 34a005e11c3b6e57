"""How much a dataset matters."""

from enum import StrEnum


class Tier(StrEnum):
    TIER_1 = "TIER_1"
    TIER_2 = "TIER_2"
    TIER_3 = "TIER_3"
