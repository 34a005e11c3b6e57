"""
How the story's signals fare, beat by beat.

    .  OK     W  WARNING     C  CRITICAL
"""

from collections.abc import Mapping

from attrs import frozen

from entrypoints.cli.demo.evaluations import WELL, Verdict

BAD, GOOD = "v3.17", "v3.16"
PRODUCER = "orders-svc"
LOST = "customer_id"


@frozen
class Course:
    beats: str
    signature: str

    def verdict(self, beat: int) -> Verdict:
        match self.beats[beat]:
            case ".":
                return WELL
            case "W":
                return Verdict("WARNING", None, self.signature, (PRODUCER, BAD))
            case _:
                return Verdict("CRITICAL", None, self.signature, (PRODUCER, BAD))


ORDERS = ("orders:order_created", "CONTRACT_COMPLIANCE")
SCHEMA = ("orders:order_created", "SCHEMA")
FRAUD = ("payments:fraud_scores", "CONTRACT_COMPLIANCE")
CUSTOMERS = ("customers:customer_360", "FRESHNESS")
REVENUE = ("finance:revenue_daily", "VOLUME")
SEGMENTS = ("marketing:audience_segments", "FRESHNESS")
RECOMMENDED = ("marketing:recommendations", "FRESHNESS")

COURSES: Mapping[tuple[str, str], Course] = {
    ORDERS: Course(".WCCCCCCCCCW.....", f"MISSING_FIELD:{LOST}"),
    SCHEMA: Course("...CCCCCCCC......", f"FIELD_REMOVED:{LOST}"),
    FRAUD: Course("....WCCCCCCCW....", f"NULL_KEY:{LOST}"),
    CUSTOMERS: Course("....WCCCCCCCCW...", f"LATE_DATA:{LOST}"),
    REVENUE: Course(".......WCCCCCCW..", "VOLUME_DROP:orders"),
    SEGMENTS: Course(".......WWWWWWW...", "LATE_DATA:segment"),
    RECOMMENDED: Course(".......WWWWWWWW..", "LATE_DATA:rank"),
}

BEATS = len(COURSES[ORDERS].beats)
