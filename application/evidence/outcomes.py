"""What became of a report of evidence."""

from collections.abc import Sequence
from enum import StrEnum

from attrs import frozen

from domain.errors import Violation


class Fate(StrEnum):
    KEPT = "STORED"
    SAMPLED_OUT = "SAMPLED_OUT"


@frozen
class Rejected:
    """Nothing of it was kept, whatever else came with it."""

    violations: Sequence[Violation]


Outcome = Fate | Rejected
