"""How up to date an answer must be, or as of when: the same parameters wherever one reads."""

from collections.abc import Callable, Sequence
from typing import Annotated, TypeVar

from attrs import define
from fastapi import Depends, Query, Request, Response

from application.reads.demand import NOTHING, Answer, Demand
from application.reads.position import Position
from application.violations import refuse_any
from domain.errors import Violation
from domain.timestamps import stamp
from entrypoints.http.description.responses import (
    AGE_HEADER,
    AS_OF_HEADER,
    POSITION_HEADER,
    STALE_HEADER,
)
from entrypoints.http.validation.timestamps import moment_parameter
from entrypoints.interfaces.consistency import position_said, refuse_both

R = TypeVar("R")

EVENTUAL, STRONG = "eventual", "strong"

AsOf = Annotated[
    str | None,
    Query(
        description="Answer as of this moment, with all that was recorded by then and nothing "
        "later.",
        json_schema_extra={"format": "date-time", "examples": ["2026-01-15T10:00:00.000Z"]},
    ),
]
MinPosition = Annotated[
    str | None,
    Query(
        description="The `Statestore-Position` of a write: wait until it can be seen, or answer "
        "503 `POSITION_NOT_REACHED`.",
        json_schema_extra={"pattern": "^[A-Za-z0-9_-]+$"},
    ),
]
Consistency = Annotated[
    str,
    Query(
        description="`strong`: with all that is recorded by now, folded from the log.",
        json_schema_extra={"enum": [EVENTUAL, STRONG]},
    ),
]


@define
class Asked:
    """What was asked for. Whatever is wrong with it is told together with all else."""

    demand: Demand
    violations: Sequence[Violation]
    response: Response

    @property
    def moment(self) -> str | None:
        """What pages of one list have in common."""
        return stamp(self.demand.as_of) if self.demand.as_of else None

    def about(self, named: Callable[[str, list[Violation]], R], said: str) -> R:
        """The one thing that is asked about.

        Raises:
            Invalid: With all that is wrong, with its name and with how it is asked.
        """
        found = [*self.violations]
        name = named(said, found)
        refuse_any(found)
        return name

    def of(self, answer: Answer[R]) -> R:
        """The value of an answer; the headers say what it is an answer about."""
        self.response.headers.update(_headers(answer))
        return answer.value


async def asked(
    request: Request,
    response: Response,
    as_of: AsOf = None,
    min_position: MinPosition = None,
) -> Asked:
    if as_of is None and min_position is None:
        return Asked(NOTHING, (), response)
    found: list[Violation] = []
    moment = moment_parameter("as_of", as_of, found)
    demand = Demand(moment, position_said("min_position", min_position, found))
    return Asked(demand, found, response)


async def asked_strongly(
    request: Request,
    response: Response,
    as_of: AsOf = None,
    min_position: MinPosition = None,
    consistency: Consistency = EVENTUAL,
) -> Asked:
    if as_of is None and min_position is None and consistency == EVENTUAL:
        return Asked(NOTHING, (), response)
    found: list[Violation] = []
    moment = moment_parameter("as_of", as_of, found)
    strong = _strong(consistency, as_of, found)
    demand = Demand(moment, position_said("min_position", min_position, found), strong)
    return Asked(demand, found, response)


At = Annotated[Asked, Depends(asked)]
StrongAt = Annotated[Asked, Depends(asked_strongly)]
"""For single things, which can also be folded from the log."""


def _strong(consistency: str, as_of: str | None, found: list[Violation]) -> bool:
    if consistency not in (EVENTUAL, STRONG):
        said = f"must be {EVENTUAL} or {STRONG}"
        found.append(Violation("consistency", "UNKNOWN_VALUE", said))
    refuse_both("consistency", consistency == STRONG, as_of, found)
    return consistency == STRONG


def _headers(answer: Answer[R]) -> dict[str, str]:
    said = {POSITION_HEADER: Position(answer.position).token()}
    if answer.age_seconds is not None:
        said[AGE_HEADER] = f"{answer.age_seconds:.3f}"
    if answer.stale:
        said[STALE_HEADER] = "true"
    if answer.as_of is not None:
        said[AS_OF_HEADER] = stamp(answer.as_of)
    return said
