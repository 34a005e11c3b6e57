"""The LineageService: declaring, who writes and reads what, and what lies downstream."""

from collections.abc import Iterator

from attrs import frozen

from application.lineage.commands_and_queries import ReadReaders, ReadWriters
from application.use_cases import UseCases
from application.violations import refuse_any
from domain.errors import Violation
from domain.ids import DatasetUrn, column_urn, is_column_urn, is_dataset_urn
from domain.lineage.impact import DEEPEST, DEPTH
from domain.validation import integer
from entrypoints.grpc.fields.fields import present, said
from entrypoints.grpc.fields.paging import page_wanted, pages_of
from entrypoints.grpc.lineage.requests import lineage_report
from entrypoints.grpc.lineage.responses import declared_told, downstream_told, entries_told
from entrypoints.grpc.messages import lineage_pb2 as pb
from entrypoints.grpc.server.call import Call, answered, demanded, written
from entrypoints.interfaces.names import dataset_named, place_named


@frozen
class LineageService:
    use: UseCases
    page_secret: bytes

    async def declare_lineage(
        self, request: pb.DeclareLineageRequest, call: Call
    ) -> pb.DeclareLineageResponse:
        declared = await self.use.declare_lineage(lineage_report(request), by=call.by)
        return declared_told(declared, written(declared.position, replayed=declared.replayed))

    async def list_writers(
        self, request: pb.ListWritersRequest, call: Call
    ) -> pb.ListLineageResponse:
        return await self._listed(self.use.read_writers, request, call)

    async def list_readers(
        self, request: pb.ListReadersRequest, call: Call
    ) -> pb.ListLineageResponse:
        return await self._listed(self.use.read_readers, request, call)

    async def get_dataset_impact(
        self, request: pb.GetDatasetImpactRequest, call: Call
    ) -> pb.DatasetImpact:
        demand, found = demanded(request, single=False)
        dataset, field = dataset_named(request.dataset_urn, found), said(request.field)
        depth = present(request, "depth")
        found += integer("depth", depth, least=1, most=DEEPEST)
        found += _no_column(dataset, field)
        refuse_any(found)
        depth = DEPTH if depth is None else depth
        told, answer = answered(
            await self.use.read_impact(dataset, field, depth=depth, demand=demand, by=call.by)
        )
        return downstream_told(dataset, field, depth, told, answer)

    async def _listed(
        self,
        reading: ReadWriters | ReadReaders,
        request: pb.ListWritersRequest | pb.ListReadersRequest,
        call: Call,
    ) -> pb.ListLineageResponse:
        demand, found = demanded(request, single=False)
        place = place_named(request.urn, found)
        pages = pages_of(self.page_secret, request, request.DESCRIPTOR.name, place)
        page = page_wanted(request, pages, found)
        refuse_any(found)
        told, answer = answered(await reading(place, page, demand=demand, by=call.by))
        return entries_told(told, pages.token(told.next), answer)


def _no_column(dataset: DatasetUrn, field: str | None) -> Iterator[Violation]:
    if field is None or not is_dataset_urn(dataset):
        return
    if not is_column_urn(column_urn(dataset, field)):
        yield Violation("field", "MALFORMED", "must be the name of a column")
