"""The DatasetRegistryService: registering datasets, changing them, and looking them up."""

from attrs import evolve, frozen

from application.datasets.commands import DatasetChanged, RestoreDataset, RetireDataset
from application.datasets.read_model import DatasetFilter
from application.violations import refuse_any
from domain.validation import integer
from entrypoints.grpc.datasets.requests import dataset_report, settings_report
from entrypoints.grpc.datasets.responses import change_told, dataset_told
from entrypoints.grpc.datasets.rules import ResolutionRules
from entrypoints.grpc.fields.fields import parse_version
from entrypoints.grpc.fields.filters import team_said, tier_said
from entrypoints.grpc.fields.paging import page_wanted, pages_of
from entrypoints.grpc.messages import datasets_pb2 as pb
from entrypoints.grpc.server.call import Call, answered, demanded, written
from entrypoints.interfaces.names import dataset_named, parse_dataset
from entrypoints.interfaces.written_views import card_after


@frozen
class DatasetRegistryService(ResolutionRules):
    page_secret: bytes

    async def register_dataset(self, request: pb.RegisterDatasetRequest, call: Call) -> pb.Dataset:
        changed = await self.use.register_dataset(dataset_report(request), by=call.by)
        return await self._told_after(changed, call)

    async def update_dataset(self, request: pb.UpdateDatasetRequest, call: Call) -> pb.Dataset:
        dataset, report = parse_dataset(request.dataset_urn), settings_report(request)
        version = parse_version(request)
        unreadable = (*dataset.violations, *report.unreadable, *version.violations)
        changed = await self.use.update_dataset(
            dataset.value,
            evolve(report, unreadable=unreadable),
            expected_version=version.value,
            by=call.by,
        )
        return await self._told_after(changed, call)

    async def retire_dataset(self, request: pb.RetireDatasetRequest, call: Call) -> pb.Dataset:
        return await self._switched(self.use.retire_dataset, request, call)

    async def restore_dataset(self, request: pb.RestoreDatasetRequest, call: Call) -> pb.Dataset:
        return await self._switched(self.use.restore_dataset, request, call)

    async def get_dataset(self, request: pb.GetDatasetRequest, call: Call) -> pb.Dataset:
        demand, found = demanded(request)
        dataset, version = dataset_named(request.dataset_urn, found), request.version or None
        refuse_any(found, integer("version", version, least=1))
        card, answer = answered(
            await self.use.read_dataset(dataset, version, demand=demand, by=call.by)
        )
        return dataset_told(card, answer)

    async def list_datasets(
        self, request: pb.ListDatasetsRequest, call: Call
    ) -> pb.ListDatasetsResponse:
        demand, found = demanded(request, single=False)
        tier, team = tier_said(request.tier, found), team_said(request.owner_team, found)
        pages = pages_of(self.page_secret, request, "datasets", tier, team, request.retired)
        page = page_wanted(request, pages, found)
        refuse_any(found)
        wanted = DatasetFilter(tier, team, request.retired)
        told, answer = answered(
            await self.use.list_datasets(wanted, page, demand=demand, by=call.by)
        )
        return pb.ListDatasetsResponse(
            datasets=map(dataset_told, told.items),
            next_page_token=pages.token(told.next),
            answer=answer,
        )

    async def list_dataset_versions(
        self, request: pb.ListDatasetVersionsRequest, call: Call
    ) -> pb.ListDatasetVersionsResponse:
        demand, found = demanded(request, single=False)
        dataset = dataset_named(request.dataset_urn, found)
        pages = pages_of(self.page_secret, request, "versions", dataset)
        page = page_wanted(request, pages, found)
        refuse_any(found)
        told, answer = answered(
            await self.use.list_versions(dataset, page, demand=demand, by=call.by)
        )
        return pb.ListDatasetVersionsResponse(
            versions=map(dataset_told, told.items),
            next_page_token=pages.token(told.next),
            answer=answer,
        )

    async def _switched(
        self,
        switch: RetireDataset | RestoreDataset,
        request: pb.RetireDatasetRequest | pb.RestoreDatasetRequest,
        call: Call,
    ) -> pb.Dataset:
        """Take a dataset out of service or bring it back, if it is as the caller knows it."""
        dataset, version = parse_dataset(request.dataset_urn), parse_version(request)
        refuse_any((*dataset.violations, *version.violations))
        changed = await switch(dataset.value, by=call.by, expected_version=version.value)
        return await self._told_after(changed, call)

    async def _told_after(self, changed: DatasetChanged, call: Call) -> pb.Dataset:
        """The dataset as it was decided, with its dates if the register knows them by now."""
        answer = written(changed.position, replayed=changed.replayed)
        card = await card_after(changed, self.use.read_dataset, call.by)
        return dataset_told(card, answer) if card else change_told(changed, answer)
