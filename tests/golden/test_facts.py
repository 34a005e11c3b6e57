"""Facts and snapshots as they are stored: names, schema versions, fields, and what is written."""

from typing import Any

import orjson
from attrs import asdict

from adapters.eventstore.catalogue import FACTS, SNAPSHOTS, Entry
from adapters.eventstore.mapper import Mapper
from adapters.eventstore.sealing.seals import Seals
from adapters.memory.keys import MemoryKeys
from application.caller import Caller
from domain.streams import StreamId
from tests.adapters.eventstore import examples
from tests.golden.golden import Golden
from tests.golden.sealed import unsealed
from tests.golden.types import record

CALLER = Caller("jane@company.example", correlation_id="cor-1", causation_id="cau-1", trace="00-ab")


def catalogued(entry: Entry) -> dict[str, Any]:
    return {
        "schema": entry.schema,
        "sealed since": entry.sealed_since,
        "personal": [".".join(path) for path in entry.personal],
        "confidential": [".".join(path) for path in entry.confidential],
        "fields": record(entry.type),
    }


def test_the_catalogue_of_facts(golden: Golden) -> None:
    golden.json("facts.json", {entry.name: catalogued(entry) for entry in FACTS})


def test_the_catalogue_of_snapshots(golden: Golden) -> None:
    golden.json("snapshots.json", {entry.name: catalogued(entry) for entry in SNAPSHOTS})


def test_what_is_written_of_a_fact_with_every_field_filled(golden: Golden) -> None:
    mapper = Mapper.of_catalogue(Seals(MemoryKeys()))
    written = {name: _written(mapper, fact) for name, fact in examples.FACTS.items()}
    golden.json("facts_written.json", written)


def _written(mapper: Mapper, fact: object) -> dict[str, Any]:
    """Data and envelope; key ids and sealed values differ each time."""
    stream = StreamId(f"dataset-{examples.ORDERS}")
    new = mapper.event(stream, 1, fact, event_id=b"0123456789abcdef", by=CALLER)
    stored = {**asdict(new), "data": orjson.loads(new.data), "meta": orjson.loads(new.meta)}
    meta = stored["meta"] | {"k": [f"key {number}" for number, _ in enumerate(stored["meta"]["k"])]}
    return dict(unsealed({"data": stored["data"], "meta": meta}))
