"""Patterns in RE2's syntax (no look-around, no back-references)."""

from typing import Any

import re2  # type: ignore[import-untyped]  # google-re2 ships no types
from attrs import define, field
from cachetools import LRUCache

_REMEMBERED = 5_000
_MEMORY = 1 << 20


@define
class Re2Patterns:
    _compiled: LRUCache[str, Any] = field(factory=lambda: LRUCache(_REMEMBERED))

    def problem(self, pattern: str) -> str | None:
        try:
            self._pattern(pattern)
        except re2.error as error:
            return _told(error)
        return None

    def matches(self, pattern: str, text: str) -> bool:
        return self._pattern(pattern).search(text) is not None

    def _pattern(self, pattern: str) -> Any:
        if pattern not in self._compiled:
            options = re2.Options()
            options.log_errors = False
            options.max_mem = _MEMORY
            self._compiled[pattern] = re2.compile(pattern, options)
        return self._compiled[pattern]


def _told(error: Exception) -> str:
    reason = error.args[0] if error.args else "it is not a regular expression"
    return reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
