"""What the comparison of spans and batches means."""

from collections.abc import AsyncIterator, Iterator

from attrs import frozen

from adapters.dynamodb.log_maintenance.remedies import RebuildSpan, RemoveSpan
from adapters.dynamodb.log_maintenance.span_ledger import Different, SpanAt, SpanLedger, Unwanted
from adapters.dynamodb.log_reading.log_reader import LogReader
from adapters.eventstore.inspection.inspector import Finding, Kind


@frozen
class SpanFindings:
    reader: LogReader
    ledger: SpanLedger
    end: int

    async def different(self) -> AsyncIterator[Finding]:
        for one in self.ledger.different():
            if one.trouble is not None:
                yield _damaged(one, one.trouble)
            elif one.found is not None:
                yield _wrong(one, one.found)
            elif not await self._is_there_by_now(one.wanted):
                yield _missing(one.wanted)

    async def unwanted(self) -> AsyncIterator[Finding]:
        newer: int | None = None
        for one in self.ledger.unwanted():
            if one.trouble is not None or one.has_batch:
                yield _stray(one)
            elif one.span.batch != newer:
                if one.span.batch > self.end and await self.reader.holder(one.span.batch):
                    newer = one.span.batch
                else:
                    yield _torn(one.span)

    async def _is_there_by_now(self, span: SpanAt) -> bool:
        """Its transaction may have been on its way when the spans were read."""
        key = self.reader.keys.span(span.stream, span.sk)
        return await self.reader.table.get(key) is not None


def _missing(wanted: SpanAt) -> Finding:
    what = f"the batch at {wanted.batch} holds it, and no span does"
    return Finding(Kind.MISSING_SPAN, _where(wanted), what, RebuildSpan(wanted))


def _damaged(one: Different, trouble: str) -> Finding:
    return Finding(Kind.DAMAGED_SPAN, _where(one.wanted), trouble, _rebuilt(one))


def _wrong(one: Different, found: SpanAt) -> Finding:
    what = "; ".join(_differences(one.wanted, found)) or "it holds other events than its batch"
    if one.found_is_elsewhere_too or found.batch == one.wanted.batch:
        return Finding(Kind.WRONG_SPAN, _where(one.wanted), what, _rebuilt(one))
    return Finding(Kind.WRONG_SPAN, _where(one.wanted), f"{what}; {_LAST_COPY}")


def _rebuilt(one: Different) -> RebuildSpan:
    return RebuildSpan(one.wanted, is_taken=True, replaces=one.found)


def _differences(wanted: SpanAt, found: SpanAt) -> Iterator[str]:
    if (found.first, found.last) != (wanted.first, wanted.last):
        yield f"it says versions {found.first} to {found.last}"
    if found.batch != wanted.batch:
        yield f"it points to {found.batch}, the batch is at {wanted.batch}"


def _stray(one: Unwanted) -> Finding:
    if one.trouble is not None:
        where = f"{one.span.stream} at {one.span.sk}"
        return Finding(Kind.DAMAGED_SPAN, where, f"{one.trouble}, and no batch speaks of it")
    what = f"the batch at {one.span.batch} does not hold it"
    return Finding(Kind.STRAY_SPAN, _where(one.span), what, RemoveSpan(one.span))


def _torn(span: SpanAt) -> Finding:
    what = f"stored with a batch at {span.batch} that is not there; {_LAST_COPY}"
    return Finding(Kind.TORN_APPEND, _where(span), what)


_LAST_COPY = "it may be the last copy of its events"


def _where(span: SpanAt) -> str:
    if span.first == span.last:
        return f"{span.stream} version {span.first}"
    return f"{span.stream} versions {span.first} to {span.last}"
