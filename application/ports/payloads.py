"""Looking into payloads with JSONPath."""

from collections.abc import Sequence
from typing import Protocol


class Payloads(Protocol):
    def problem(self, path: str) -> str | None:
        """What is wrong with the path, nothing if it can be used."""
        ...

    def values(self, path: str, payload: object) -> Sequence[object]:
        """The values that the path selects in the payload."""
        ...
