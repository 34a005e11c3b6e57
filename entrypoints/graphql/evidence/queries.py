"""Looking evidence up by its ids."""

import strawberry

from application.reads.demand import NOTHING
from application.violations import refuse_any
from domain.errors import Violation
from entrypoints.graphql.context import Info
from entrypoints.graphql.evidence.types import MOST, Evidence
from entrypoints.graphql.optional import told
from entrypoints.interfaces.evidence_input import all_evidence_named, evidence_named


@strawberry.type
class EvidenceQueries:
    @strawberry.field(
        description="Evidence; null if nobody knows it or it was left out of the sample."
    )
    async def evidence(self, info: Info, id: strawberry.ID) -> Evidence | None:  # noqa: A002  # as it is called in the schema
        found: list[Violation] = []
        name = evidence_named(id, found, "id")
        refuse_any(found)
        return told(await info.context.asked(NOTHING).evidence.load(name), Evidence.of)

    @strawberry.field(
        description=f"Evidence by its ids, at most {MOST}, in their order; without what nobody "
        "knows."
    )
    async def evidence_list(self, info: Info, ids: list[strawberry.ID]) -> list[Evidence]:
        found: list[Violation] = []
        if len(ids) > MOST:
            found.append(Violation("ids", "TOO_MANY", f"must be at most {MOST}"))
        names = all_evidence_named(ids[:MOST], found, "ids")
        refuse_any(found)
        shown = await info.context.asked(NOTHING).evidence.load_many(names)
        return [Evidence.of(one) for one in shown if one is not None]
