"""Regular expressions that answer in time proportional to the text, whoever wrote them."""

from typing import Protocol


class Patterns(Protocol):
    def problem(self, pattern: str) -> str | None:
        """What is wrong with the pattern, nothing if it can be used."""
        ...

    def matches(self, pattern: str, text: str) -> bool:
        """Whether the pattern is found in the text."""
        ...
