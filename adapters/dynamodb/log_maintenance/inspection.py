"""
Looking for damage in a DynamoDB log.

First all spans are read (a scan of the table), then the batches in order, which are the truth;
then the two are compared. Others may write meanwhile: what is beyond the end as it was at the
beginning is left alone.
"""

from collections.abc import AsyncIterator, Callable
from datetime import datetime

from attrs import frozen

from adapters.dynamodb.items.scanning import scan
from adapters.dynamodb.items.typed_values import text_of
from adapters.dynamodb.log.log import utc_now
from adapters.dynamodb.log_maintenance.batch_checks import BatchChecks
from adapters.dynamodb.log_maintenance.batch_walk import BatchWalk
from adapters.dynamodb.log_maintenance.orphaned_blobs import Orphans
from adapters.dynamodb.log_maintenance.span_findings import SpanFindings
from adapters.dynamodb.log_maintenance.span_ledger import SpanLedger
from adapters.dynamodb.log_reading.log_reader import Head, LogReader
from adapters.eventstore.continuity import Continuity, Trouble
from adapters.eventstore.inspection.inspector import Finding
from adapters.eventstore.inspection.progress import Progress
from adapters.row_layouts.catalogue import PK
from adapters.sqlite.log.inspection_scratch import scratch


@frozen
class DynamoInspector:
    reader: LogReader
    trouble: Trouble
    blobs: str | None = None
    """The beginning of the names of the log's blobs; without it none are looked for."""
    now: Callable[[], datetime] = utc_now

    async def end(self) -> int:
        batches = BatchWalk(self.reader)
        return (await batches.end(await batches.announced())).position

    async def findings(self, progress: Progress) -> AsyncIterator[Finding]:
        orphans = Orphans(self.reader.payloads.blobs)
        async for one in self._of_the_log(orphans, progress):
            orphans.beside(one)
            yield one
        if self.blobs is not None:
            progress.begin("looking for blobs")
            async for one in orphans.findings(f"{self.blobs}/", self.now()):
                yield one

    async def _of_the_log(self, orphans: Orphans, progress: Progress) -> AsyncIterator[Finding]:
        batches = BatchWalk(self.reader)
        announced = await batches.announced()
        end = await batches.end(announced)
        with scratch() as seen:
            ledger = SpanLedger(seen.connection)
            await self._read_spans(ledger, progress)
            checks = BatchChecks(Continuity(seen, self.trouble), ledger, announced)
            progress.begin("walking the log", end.position)
            async for met in batches.met(end):
                orphans.met(met)
                for one in checks.after(met):
                    yield one
                progress.reached(min(checks.reached, end.position))
            for one in checks.blocks():
                yield one
            async for one in self._spans(ledger, end, progress):
                yield one

    async def _read_spans(self, ledger: SpanLedger, progress: Progress) -> None:
        progress.begin("reading spans")
        prefix, done = self.reader.keys.stream(""), 0
        async for page in scan(self.reader.table, begins_with=prefix):
            for item in page:
                ledger.add_found(text_of(item, PK).removeprefix(prefix), item)
            done += len(page)
            progress.reached(done)

    async def _spans(
        self, ledger: SpanLedger, end: Head, progress: Progress
    ) -> AsyncIterator[Finding]:
        progress.begin("comparing spans")
        spans = SpanFindings(self.reader, ledger, end.position)
        async for one in spans.different():
            yield one
        async for one in spans.unwanted():
            yield one
