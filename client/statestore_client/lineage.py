"""Lineage: declaring who writes and reads what, and asking what lies downstream."""

from collections.abc import AsyncIterator
from typing import Any, Unpack

from statestore_client.messages import lineage_pb2 as pb
from statestore_client.models.lineage import DatasetImpact, Declared, LineageEntry, LineageSpec
from statestore_client.options import Reading, Writing
from statestore_client.transport.calls import Calls
from statestore_client.transport.translation import tell, told


class AsyncLineage:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def declare(self, spec: LineageSpec, **how: Unpack[Writing]) -> Declared:
        """Takes the place of the producer's older spec; a later one stays."""
        request = pb.DeclareLineageRequest()
        tell(spec, request)
        path = "LineageService/DeclareLineage"
        # Of two specs the later counts, however often either is sent.
        answered = await self._calls.write(
            path, request, pb.DeclareLineageResponse, how, repeatable=True
        )
        return told(Declared, answered.message)

    def writers(
        self, urn: str, *, page_size: int = 0, **how: Unpack[Reading]
    ) -> AsyncIterator[LineageEntry]:
        """Who writes a dataset or a column, page by page."""
        request = pb.ListWritersRequest(urn=urn, page_size=page_size)
        return self._entries("ListWriters", request, how)

    def readers(
        self, urn: str, *, page_size: int = 0, **how: Unpack[Reading]
    ) -> AsyncIterator[LineageEntry]:
        """Who reads a dataset or a column, page by page."""
        request = pb.ListReadersRequest(urn=urn, page_size=page_size)
        return self._entries("ListReaders", request, how)

    async def impact(
        self,
        dataset_urn: str,
        *,
        field: str | None = None,
        depth: int | None = None,
        **how: Unpack[Reading],
    ) -> DatasetImpact:
        """The readers of a dataset or one of its columns, what they write, and so on."""
        request = pb.GetDatasetImpactRequest(
            dataset_urn=dataset_urn, field=field or "", depth=depth
        )
        path = "LineageService/GetDatasetImpact"
        return told(DatasetImpact, await self._calls.read(path, request, pb.DatasetImpact, how))

    async def _entries(
        self, method: str, request: Any, how: Reading
    ) -> AsyncIterator[LineageEntry]:
        path = f"LineageService/{method}"
        async for page in self._calls.pages(path, request, pb.ListLineageResponse, how):
            for one in page.entries:
                yield told(LineageEntry, one)
