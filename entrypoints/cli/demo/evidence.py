"""The evidence that the demo names in signals and incidents: there is something to look at."""

from collections.abc import Iterator
from hashlib import sha256

from ulid import ULID

from domain.timestamps import stamp, to_millisecond
from entrypoints.cli.demo.calls import Call
from entrypoints.cli.running_server import Answer

MOST = 1_000
"""Items in one request."""
_PARTITIONS = 12


def named_by(call: Call) -> Iterator[list[Answer]]:
    """What failed, as the call tells why, some items at a time. The same id is the same item."""
    told = call.body.get("updates") or [call.body]
    items = [item for one in told for item in _items(one)]
    for first in range(0, len(items), MOST):
        yield items[first : first + MOST]


def _items(told: Answer) -> Iterator[Answer]:
    dataset = told.get("dataset_urn") or told.get("primary_dataset_urn")
    producer = told.get("top_producer") or told.get("implicated_producer")
    reasons = told.get("failure_signatures") or [told.get("failure_signature")]
    for name in told.get("evidence_sample", ()) if dataset else ():
        yield _item(name, dataset or "", [one for one in reasons if one], producer)


def _item(name: str, dataset: str, reasons: list[str], producer: Answer | None) -> Answer:
    digest = sha256(name.encode())
    number = int.from_bytes(digest.digest()[:4])
    known = ("producer_id", "version", "confidence")
    return {
        "evidence_id": name,
        "dataset_urn": dataset,
        # The id says when.
        "created_at": stamp(to_millisecond(ULID.from_str(name.removeprefix("evd-")).datetime)),
        "validation": {
            "result": "FAIL",
            "failed_gates": ["G4_CONTRACT"],
            "reason_codes": reasons,
        },
        "producer": {key: producer[key] for key in known} if producer else None,
        "source": {
            "topic": f"raw.{dataset.split(':')[2]}.events",
            "partition": number % _PARTITIONS,
            "offset": number,
        },
        "fingerprints": {"payload_hash": f"sha256:{digest.hexdigest()}"},
        "payload_ref": f"s3://demo-payloads/{name}",
        "payload_size_bytes": 200 + number % 1_800,
    }
