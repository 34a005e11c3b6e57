"""
The directory of streams, and checkpoints of signals, as rows of `observability-projection-state`.

    PK                                      SK                 stream
    datasets#                               urn:dp:…:v1        dataset-urn:dp:…:v1
    signals#urn:dp:…:v1                     FRESHNESS          signal-urn:dp:…:v1/FRESHNESS
    fault-streams#urn:dp:…:v1               MISSING_FIELD:…    fault-urn:dp:…:v1/MISSING_FIELD:…
    incidents#                              created_at#INC-01H…  incident-INC-01H…
    incidents#urn:dp:…:v1                   created_at#INC-01H…  incident-INC-01H…
    lineage-by-urn#urn:dp:…:v1              job:orders-landing  lineage-job:orders-landing
    lineage-by-entity#job:orders-landing    job:orders-landing  lineage-job:orders-landing
    written-by-urn#urn:dp:…:v1              job:orders-landing  lineage-job:orders-landing

    PK                                      SK                 view
    signal-snapshot#urn:dp:…:v1/FRESHNESS   000000000000020    the signal's row of back then

None of them has a `ttl`: what was can be asked for at any time later. The position of a row is
that of the fact that began the stream, except for lineage.
"""

from adapters.row_layouts import signal_rows
from adapters.row_layouts.catalogue import PROJECTION_STATE
from adapters.row_layouts.engine import Row, RowKey
from application.maintenance.stream_directory import (
    Checkpoint,
    CheckpointKey,
    Listed,
    ListedKey,
    Shelf,
)
from application.signals.read_model import SignalView
from domain.ids import DatasetUrn, SignalType
from domain.streams import StreamId


def shelf(kind: Shelf, about: str = "") -> str:
    """The partition in which streams are listed."""
    return f"{kind.value}#{about}"


def listed_key(key: ListedKey) -> RowKey:
    return RowKey(PROJECTION_STATE.name, shelf(key.shelf, key.about), key.name)


def listed_key_of(row: Row) -> ListedKey:
    kind, _, about = row["PK"].partition("#")
    return ListedKey(Shelf(kind), about, row["SK"])


def listed_to_row(card: Listed, position: int) -> Row:
    place = listed_key(card.key)
    return {"PK": place.pk, "SK": place.sk, "stream": card.stream, "position": position}


def listed_from_row(row: Row) -> Listed:
    return Listed(listed_key_of(row), StreamId(row["stream"]))


# Checkpoints.


def checkpoints(dataset: DatasetUrn, signal_type: SignalType) -> str:
    """The partition of a signal's checkpoints."""
    return f"signal-snapshot#{dataset}/{signal_type}"


def version_sk(version: int) -> str:
    """In the order of the numbers."""
    return f"{version:015d}"


def checkpoint_key(key: CheckpointKey) -> RowKey:
    partition = checkpoints(key.dataset, key.signal_type)
    return RowKey(PROJECTION_STATE.name, partition, version_sk(key.version))


def checkpoint_key_of(row: Row) -> CheckpointKey:
    dataset, _, signal_type = row["PK"].partition("#")[2].partition("/")
    return CheckpointKey(DatasetUrn(dataset), SignalType(signal_type), int(row["SK"]))


def checkpoint_to_row(checkpoint: Checkpoint, position: int) -> Row:
    card: SignalView = checkpoint.card
    place = checkpoint_key(CheckpointKey(card.dataset, card.signal_type, checkpoint.version))
    content = signal_rows.to_row(card, position)
    return {"PK": place.pk, "SK": place.sk, "view": content, "position": position}


def checkpoint_from_row(row: Row) -> Checkpoint:
    card = signal_rows.from_row(row["view"])
    return Checkpoint(card, int(row["SK"]), int(row["position"]))
