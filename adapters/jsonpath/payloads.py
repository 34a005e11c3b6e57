"""Payloads seen through JSONPath."""

from collections.abc import Sequence
from typing import Any

import jsonpath
from attrs import define, field
from cachetools import LRUCache

_REMEMBERED = 5_000


@define
class JsonPathPayloads:
    """Knows names, indexes, slices, wildcards and one descent; conditions do the filtering.

    Several descents (`$..a..b`) would visit a payload's parts again and again.
    """

    _compiled: LRUCache[str, Any] = field(factory=lambda: LRUCache(_REMEMBERED))

    def problem(self, path: str) -> str | None:
        if "?" in path:
            return "filters are not supported: use conditions instead"
        if path.count("..") > 1:
            return "at most one descent (..) is supported"
        try:
            self._path(path)
        except jsonpath.JSONPathError as error:
            return str(error.args[0]) if error.args else "it is not a JSONPath"
        return None

    def values(self, path: str, payload: object) -> Sequence[object]:
        if not isinstance(payload, dict | list):
            return []
        found: list[object] = self._path(path).findall(payload)
        return found

    def _path(self, path: str) -> Any:
        if path not in self._compiled:
            self._compiled[path] = jsonpath.compile(path, strict=True)
        return self._compiled[path]
