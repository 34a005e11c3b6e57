"""
What kept evidence costs on DynamoDB, and what a month of it costs, beside the seed's own layout.

The cache puts evidence as engines send it: full hashes, a trace, a reference. 50,000 a second come
in, of which 2 % failed; of what passed, 1 % is kept. Units are counted by AWS's rules for what is
really sent; the seed's items are priced by the same rules and not sent. Prices are the seed's. Also
shown is how much of a core one item takes on the embedded engine.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from statistics import mean
from time import process_time
from typing import Any, TypeVar

from attrs import evolve, frozen

from adapters.dynamodb.items.item_sizes import item_size
from adapters.dynamodb.rows.row_items import row_item
from adapters.dynamodb.transport.capacity import Units, charges_of_answer
from adapters.dynamodb.transport.capacity_meter import CapacityMeter
from adapters.dynamodb.transport.transport import Item, Operation
from adapters.row_layouts.catalogue import EVIDENCE_CACHE
from adapters.row_layouts.evidence_rows import to_row
from adapters.sqlite.evidence.cache import SqliteEvidenceCache
from adapters.sqlite.evidence.file import EvidenceFile
from adapters.system.clock import SystemClock
from benchmarks.load.local_dynamodb import dynamodb
from benchmarks.load.reports import dataset_urn
from benchmarks.measuring import varied
from benchmarks.measuring.figures import Effort, Figure, Section, Target, amount, lower
from domain.evidence.evidence import Evidence, Source, Verdict
from domain.ids import DatasetUrn, EvidenceId
from domain.retention import KEPT_FOR
from domain.signal.evaluation import Confidence, Producer
from entrypoints.grpc.evidence.responses import evidence_told
from tests.adapters.dynamodb.log.logs import retrying, sends_once
from tests.adapters.evidence_cache.caches import dynamo_cache, shared_table

RATE = 50_000
FAILED, PASSED_KEPT = 0.02, 0.01
MONTH = 2_600_000
"""Seconds, as the seed counts: 130 billion writes."""
PER_WRITE, PER_READ = 1.25e-6, 0.25e-6
"""Dollars for a unit, in the seed."""
SEED_WRITES = 162_500
SEED_ITEMS = (9_750, 6_500, 325, 1_000, SEED_WRITES, 1_000, 125, 100, 150, 10)
SEED_TOTAL = 3_000

BATCH = 100
DATASETS, PRODUCERS = 1_000, 400
EMBEDDED = 20_000

T = TypeVar("T")


def run(folder: Path, effort: Effort) -> Section:
    count = min(effort.events, 5_000)
    sample = _sample(count)
    with dynamodb():
        try:
            spent = asyncio.run(_spent(sample))
        finally:
            shared_table.cache_clear()
    kept, seed = Units(spent.read / count, spent.write / count), _seed_units(sample)
    figures = [
        *_units(kept, seed, sample),
        *_dollars(kept, seed),
        *asyncio.run(_embedded(folder)),
    ]
    return Section("evidence-units: kept evidence", "the seed's layout", figures)


# Units.


async def _spent(evidence: Sequence[Evidence]) -> Units:
    indexes = {shared_table(): EVIDENCE_CACHE.indexes}
    meter = CapacityMeter(retrying(sends_once()), indexes)
    cache = dynamo_cache(meter, SystemClock())
    try:
        for some in _batches(evidence):
            await cache.put(some)
        return meter.total()
    finally:
        await meter.close()


def _units(kept: Units, seed: float, sample: Sequence[Evidence]) -> Iterator[Figure]:
    yield Figure(
        "write units of a kept item with its index",
        amount(kept.write),
        f"{amount(seed)}; its bill says 1",
        kept.write / seed,
        target=Target(1.0, at_most=True),
        measures=(lower(kept.write, "units"),),
    )
    yield Figure(
        "read units, to leave what is there as it is",
        amount(kept.read),
        "0",
        measures=(lower(kept.read, "units"),),
    )
    failed = [one for one in sample if one.verdict is Verdict.FAIL]
    passed = [one for one in sample if one.verdict is Verdict.PASS]
    ours, others = (
        " and ".join(
            f"{mean(item_size(made(one)) for one in some):.0f}" for some in (failed, passed)
        )
        for made in (_item, _seed_item)
    )
    yield Figure("bytes of an item, FAIL and PASS", ours, others)
    reasons = tuple(varied.signature(number) for number in range(20))
    large = evolve(failed[0], reason_codes=reasons)
    yield Figure("… that failed for 20 reasons: write units", amount(_priced(_item(large))))
    unlisted = mean(_priced(_unlisted(one)) for one in passed)
    yield Figure("… that passed, were it not in the index", amount(unlisted), "lists would miss it")


def _sample(count: int) -> Sequence[Evidence]:
    """Of what is kept, as much passed as does of the whole stream."""
    failed = FAILED / (FAILED + (1 - FAILED) * PASSED_KEPT)
    now = SystemClock().now()
    return [
        _evidence(number, now, Verdict.FAIL if number < failed * count else Verdict.PASS)
        for number in range(count)
    ]


def _evidence(number: int, now: datetime, verdict: Verdict) -> Evidence:
    drawn = varied.mixed(number)
    digits = f"{drawn:016x}{varied.mixed(drawn):016x}"
    failures = range(1 + number % 3 if verdict is Verdict.FAIL else 0)
    urn, producer = dataset_urn(number % DATASETS), drawn % PRODUCERS
    domain, name = urn.split(":")[2:4]
    made = now - timedelta(milliseconds=number % 1_000)
    return Evidence(
        evidence_id=EvidenceId(varied.evidence_id(int(made.timestamp() * 1_000), drawn)),
        dataset=DatasetUrn(urn),
        created_at=made,
        recorded_at=now,
        verdict=verdict,
        failed_gates=tuple(varied.GATES[: len(failures)]),
        reason_codes=tuple(dict.fromkeys(varied.signature(drawn % 5_000 + n) for n in failures)),
        producer=Producer(
            varied.producer_id(producer),
            varied.version(producer, number % 4),
            Confidence(varied.confidence(producer)),
        ),
        source=Source(f"raw.{domain}.{name}", number % 64, drawn >> (24 + drawn % 32)),
        schema_fingerprint=f"sha256:{digits[::-1] * 2}",
        payload_hash=f"sha256:{digits * 2}",
        trace_id=digits,
        span_id=digits[:16],
        payload_ref=f"s3://{domain}-payloads/{name}/2026/03/17/{digits[number % 24 :]}.json.gz",
        payload_size_bytes=100 + (drawn >> (44 + drawn % 12)),
    )


def _item(one: Evidence) -> dict[str, object]:
    return row_item(to_row(one, KEPT_FOR.evidence))


def _seed_item(one: Evidence) -> Item:
    item = _item(one)
    del item["recorded_at"]
    return item


def _unlisted(one: Evidence) -> Item:
    item = _item(one)
    del item["dataset_urn"]
    return item


def _seed_units(sample: Sequence[Evidence]) -> float:
    """Of an item, as ours are."""
    return mean(_priced(_seed_item(one)) for one in sample)


def _priced(item: Item) -> float:
    table = EVIDENCE_CACHE.name
    put = {"TableName": table, "Item": item}
    indexes = {table: EVIDENCE_CACHE.indexes}
    charges = charges_of_answer(Operation.PUT_ITEM, put, {}, indexes)
    return sum(units.write for _, units in charges)


# Dollars.


@frozen
class Bill:
    """A month of evidence at a rate of kept items."""

    rate: float
    units: Units

    @property
    def dollars(self) -> float:
        each = self.units.write * PER_WRITE + self.units.read * PER_READ
        return self.rate * MONTH * each

    def __str__(self) -> str:
        return f"${self.dollars:,.0f}"


def _dollars(kept: Units, in_seed: float) -> Iterator[Figure]:
    sampled = RATE * (FAILED + (1 - FAILED) * PASSED_KEPT)
    seed = Units(write=in_seed)
    for what, rate in (("all kept", RATE), ("FAIL and 1 % of PASS", sampled)):
        yield Figure(
            f"a month, {what}: {rate:,.0f}/s",
            str(Bill(rate, kept)),
            f"{Bill(rate, seed)}; {Bill(rate, Units(write=1.0))} in its bill",
            Bill(rate, kept).dollars / Bill(rate, seed).dollars,
            measures=(lower(Bill(rate, kept).dollars, "$"),),
        )
    yield Figure(
        "the seed's bill for everything (T5)",
        "",
        f"lines ${sum(SEED_ITEMS):,}, total ${SEED_TOTAL:,}",
    )
    others = sum(SEED_ITEMS) - SEED_WRITES
    yield Figure(
        "… with evidence as it is here, sampled",
        f"${others + Bill(sampled, kept).dollars:,.0f}",
        f"${others:,} for the rest",
    )


# The embedded engine.


async def _embedded(folder: Path) -> Sequence[Figure]:
    clock = SystemClock()
    file = EvidenceFile(folder / "evidence-units" / "evidence-cache.db")
    cache = SqliteEvidenceCache(file, clock, evidence_told)
    evidence = _sample(EMBEDDED)
    ids = [one.evidence_id for one in evidence]
    try:
        cache.open()
        put = await _spent_on(cache.put, evidence)
        read, told = await _spent_on(cache.named, ids), await _spent_on(cache.told, ids)
    finally:
        cache.close()
    return [
        Figure(
            f"embedded: CPU of a put, {BATCH} at once",
            f"{put:.1f} µs",
            measures=(lower(put, "µs"),),
        ),
        Figure(
            f"embedded: CPU of a read, {BATCH} ids at once",
            f"{read:.1f} µs",
            measures=(lower(read, "µs"),),
        ),
        Figure("… as it is told over gRPC", f"{told:.1f} µs", measures=(lower(told, "µs"),)),
    ]


async def _spent_on(use: Callable[[Sequence[T]], Awaitable[Any]], whole: Sequence[T]) -> float:
    """Microseconds of the processor for each."""
    began = process_time()
    for part in _batches(whole):
        found = await use(part)
        assert found is None or len(found) == len(part)
    return (process_time() - began) / len(whole) * 1e6


def _batches(whole: Sequence[T]) -> Iterator[Sequence[T]]:
    return (whole[at : at + BATCH] for at in range(0, len(whole), BATCH))
