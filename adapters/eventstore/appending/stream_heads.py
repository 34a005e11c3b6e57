"""The last versions of the streams that were written lately."""

from collections import OrderedDict
from collections.abc import Mapping


class StreamHeads:
    """Durable last versions, as many as fit. Any thread may ask, only a writer changes them.

    A stream that is not here is not known, which never means that it does not exist.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._versions: OrderedDict[str, int] = OrderedDict()

    def get(self, stream: str) -> int | None:
        return self._versions.get(stream)

    def forget(self, streams: Mapping[str, int]) -> None:
        for stream in streams:
            self._versions.pop(stream, None)

    def remember(self, versions: Mapping[str, int]) -> None:
        self._versions.update(versions)
        while len(self._versions) > self._capacity:
            self._versions.popitem(last=False)

    def clear(self) -> None:
        self._versions.clear()
