"""Looking datasets up: one, and those that fit."""

import strawberry
from strawberry import UNSET

from application.datasets import read_model
from application.violations import refuse_any
from domain.errors import NotFound, Violation
from domain.validation import text
from entrypoints.graphql.arguments import AsOf, MinPosition, of_part, said
from entrypoints.graphql.connections import Connection, Pagination, around, edges, wanted
from entrypoints.graphql.context import Info
from entrypoints.graphql.datasets.types import Dataset
from entrypoints.graphql.enums import Tier
from entrypoints.interfaces.names import dataset_named
from entrypoints.interfaces.page_tokens import Pages


@strawberry.input(description="Which datasets are wanted. What is left out does not matter.")
class DatasetFilter:
    tier: Tier | None = UNSET
    owner_team: str | None = UNSET
    retired: bool | None = strawberry.field(
        default=False, description="Retired datasets instead of active ones."
    )

    def meant(self, found: list[Violation]) -> read_model.DatasetFilter:
        """The filter as the application knows it, and what is wrong with it."""
        team = said(self.owner_team)
        found += of_part("filter", list(text("owner_team", team, most=100)))
        tier = self.tier or None
        return read_model.DatasetFilter(tier, team, bool(self.retired))


@strawberry.type(description="A dataset, and the cursor to go on after it.")
class DatasetEdge:
    cursor: str
    node: Dataset


@strawberry.type(description="A page of datasets.")
class DatasetConnection(Connection):
    edges: list[DatasetEdge]


@strawberry.type
class DatasetQueries:
    @strawberry.field(description="A dataset; null if it was never registered.")
    async def dataset(
        self,
        info: Info,
        urn: str,
        as_of: AsOf = UNSET,
        min_position: MinPosition = UNSET,
    ) -> Dataset | None:
        context, found = info.context, list[Violation]()
        at = context.at(as_of, min_position, found)
        named: list[Violation] = []
        dataset = dataset_named(urn, named)
        refuse_any([*found, *(Violation("urn", one.code, one.message) for one in named)])
        try:
            return Dataset.of(
                at.of(await context.use.read_dataset(dataset, demand=at.demand, by=context.by))
            )
        except NotFound:
            return None

    @strawberry.field(description="The datasets that fit, by tier and name.")
    async def datasets(
        self,
        info: Info,
        filter: DatasetFilter,  # noqa: A002  # the schema's own word
        pagination: Pagination | None = UNSET,
        as_of: AsOf = UNSET,
        min_position: MinPosition = UNSET,
    ) -> DatasetConnection:
        context, found = info.context, list[Violation]()
        at, fitting = context.at(as_of, min_position, found), filter.meant(found)
        pages = Pages(context.page_secret, ("datasets", ascii(fitting), at.moment))
        request = wanted(pagination, pages, found)
        refuse_any(found)
        page = at.of(
            await context.use.list_datasets(fitting, request, demand=at.demand, by=context.by)
        )
        return DatasetConnection(
            edges=edges(page, pages, DatasetEdge, Dataset.of), **around(page, pages, request)
        )
