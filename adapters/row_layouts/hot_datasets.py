"""
Datasets whose signals change too often for one partition (S0-218, S0-219).

    PK                  SK
    urn:dp:…:v1         VOLUME   as any dataset's
    urn:dp:…:v1#shard7  VOLUME   a hot one's: one of ten, by a hash of dataset and signal type

The hash is the same in every process (T3), so that one signal is found at once; all of a dataset's
are read from the ten together.
"""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from zlib import crc32

from attrs import frozen

from application.signals.read_model import SignalKey
from domain.ids import DatasetUrn

SHARDS = 10
_SHARD = "#shard"


@frozen
class HotDatasets:
    """URNs, or patterns of them in which `*` stands for anything."""

    patterns: tuple[str, ...] = ()

    def partition(self, key: SignalKey) -> str:
        """Where the signal lies."""
        if not self.patterns or not self._holds(key.dataset):
            return key.dataset
        shard = crc32(f"{key.dataset}:{key.signal_type}".encode()) % SHARDS
        return f"{key.dataset}{_SHARD}{shard}"

    def partitions(self, dataset: DatasetUrn) -> Sequence[str]:
        """Where the dataset's signals lie."""
        if not self._holds(dataset):
            return [dataset]
        return [f"{dataset}{_SHARD}{shard}" for shard in range(SHARDS)]

    def _holds(self, dataset: DatasetUrn) -> bool:
        return any(fnmatchcase(dataset, pattern) for pattern in self.patterns)


NONE_HOT = HotDatasets()


def dataset_at(partition: str) -> DatasetUrn:
    return DatasetUrn(partition.partition(_SHARD)[0])
