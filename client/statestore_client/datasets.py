"""The register of datasets: what is agreed about each."""

from collections.abc import AsyncIterator
from typing import Any, Unpack

from statestore_client.enums import Tier
from statestore_client.messages import datasets_pb2 as pb
from statestore_client.models.answers import ANY_VERSION
from statestore_client.models.datasets import Dataset, DatasetChanges, DatasetSettings
from statestore_client.options import Reading, Writing
from statestore_client.transport.calls import Calls
from statestore_client.transport.translation import put, told


class AsyncDatasets:
    """Changes name the version they were decided on with `expected_version`; any if they do not."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def register(
        self, dataset_urn: str, settings: DatasetSettings, **how: Unpack[Writing]
    ) -> Dataset:
        """Raises AlreadyExists if it is registered with other settings."""
        request = pb.RegisterDatasetRequest(dataset_urn=dataset_urn)
        put(request, "settings", settings)
        return await self._changed("RegisterDataset", request, how)

    async def update(
        self,
        dataset_urn: str,
        changes: DatasetChanges,
        *,
        expected_version: int = ANY_VERSION,
        **how: Unpack[Writing],
    ) -> Dataset:
        """Give the settings that are named new values; None clears one."""
        request = pb.UpdateDatasetRequest(
            dataset_urn=dataset_urn, expected_version=expected_version
        )
        request.settings.SetInParent()
        request.update_mask.paths.extend(changes)
        for name, value in changes.items():
            put(request.settings, name, value)
        return await self._changed("UpdateDataset", request, how)

    async def retire(
        self, dataset_urn: str, *, expected_version: int | None = None, **how: Unpack[Writing]
    ) -> Dataset:
        """Take it out of service: its history stays, its signals accept nothing more."""
        request = pb.RetireDatasetRequest(
            dataset_urn=dataset_urn, expected_version=expected_version
        )
        return await self._changed("RetireDataset", request, how)

    async def restore(
        self, dataset_urn: str, *, expected_version: int | None = None, **how: Unpack[Writing]
    ) -> Dataset:
        request = pb.RestoreDatasetRequest(
            dataset_urn=dataset_urn, expected_version=expected_version
        )
        return await self._changed("RestoreDataset", request, how)

    async def get(
        self, dataset_urn: str, *, version: int | None = None, **how: Unpack[Reading]
    ) -> Dataset:
        """The present version, or the one that is named."""
        request = pb.GetDatasetRequest(dataset_urn=dataset_urn, version=version or 0)
        path = "DatasetRegistryService/GetDataset"
        return told(Dataset, await self._calls.read(path, request, pb.Dataset, how))

    async def list(
        self,
        *,
        tier: Tier | None = None,
        owner_team: str | None = None,
        retired: bool = False,
        page_size: int = 0,
        **how: Unpack[Reading],
    ) -> AsyncIterator[Dataset]:
        """Those in service, or those that are retired; page by page."""
        request = pb.ListDatasetsRequest(
            tier=tier or "", owner_team=owner_team or "", retired=retired, page_size=page_size
        )
        async for page in self._calls.pages(
            "DatasetRegistryService/ListDatasets", request, pb.ListDatasetsResponse, how
        ):
            for one in page.datasets:
                yield told(Dataset, one)

    async def versions(
        self, dataset_urn: str, *, page_size: int = 0, **how: Unpack[Reading]
    ) -> AsyncIterator[Dataset]:
        """The latest first."""
        request = pb.ListDatasetVersionsRequest(dataset_urn=dataset_urn, page_size=page_size)
        async for page in self._calls.pages(
            "DatasetRegistryService/ListDatasetVersions",
            request,
            pb.ListDatasetVersionsResponse,
            how,
        ):
            for one in page.versions:
                yield told(Dataset, one)

    async def _changed(self, method: str, request: Any, how: Writing) -> Dataset:
        fields = request.DESCRIPTOR.fields_by_name
        repeatable = "expected_version" in fields and request.expected_version > 0
        answered = await self._calls.write(
            f"DatasetRegistryService/{method}", request, pb.Dataset, how, repeatable=repeatable
        )
        return told(Dataset, answered.message)
