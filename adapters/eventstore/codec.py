"""Catalogued values as bytes: strict JSON, personal parts sealed."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import orjson
from attrs import define, field, frozen
from cattrs import Converter
from cattrs.errors import BaseValidationError, ForbiddenExtraKeysError
from cryptography.exceptions import InvalidTag

from adapters.eventstore.catalogue import Catalogue, Entry, NotInCatalogue, Path
from adapters.eventstore.conversion import make_converter
from adapters.eventstore.sealing.seals import CONFIDENTIAL, Seals, key_id_of
from adapters.eventstore.upcasts import UPCASTS, Stored, Upcasts, brought_up

_UNREADABLE = (
    AttributeError,
    BaseValidationError,
    ForbiddenExtraKeysError,
    InvalidTag,
    KeyError,
    NotInCatalogue,
    TypeError,
    ValueError,
)


@define
class UnreadableRecord(Exception):
    """Something is stored that this program does not understand; it must not be passed over."""

    name: str
    schema: int
    reason: str

    def __str__(self) -> str:
        return f"cannot read {self.name} (schema {self.schema}): {self.reason}"


@frozen
class Written:
    name: str
    schema: int
    data: bytes
    key_ids: Sequence[str]
    exact: bool


@cache
def _converter() -> Converter:
    """One for all codecs of a process: it compiles a function for every type that it meets."""
    return make_converter()


@define
class Codec:
    catalogue: Catalogue
    seals: Seals
    upcasts: Upcasts = UPCASTS
    _converter: Converter = field(factory=_converter)

    def write(self, value: object) -> Written:
        entry = self.catalogue.of(value)
        stored = self._converter.unstructure(value)
        key_ids = [self._seal(stored, path) for path in entry.personal]
        key_ids += [self._seal(stored, path, CONFIDENTIAL) for path in entry.confidential]
        return Written(entry.name, entry.schema, orjson.dumps(stored), key_ids, entry.exact)

    def read(self, name: str, schema: int, data: bytes) -> Any:
        """Raises UnreadableRecord for an unknown name, schema or field."""
        try:
            entry = self.catalogue.named(name)
            stored = orjson.loads(data)
            if schema != entry.schema:
                stored = brought_up(
                    stored, name, schema=schema, to=entry.schema, upcasts=self.upcasts
                )
            return self._structured(stored, entry, is_sealed=schema >= entry.sealed_since)
        except _UNREADABLE as error:
            raise UnreadableRecord(name, schema, repr(error)) from error

    def _structured(self, stored: Stored, entry: Entry, *, is_sealed: bool) -> Any:
        for path in (*entry.personal, *entry.confidential) if is_sealed else ():
            self._open(stored, path)
        return self._converter.structure(stored, entry.type)

    def _seal(self, stored: Stored, path: Path, owner: str | None = None) -> str:
        """Seal a value where it stands, a person's with their own key; tells with which."""
        holder = _holder(stored, path)
        text = holder.get(path[-1])
        if text is None:
            return ""
        holder[path[-1]] = self.seals.seal(owner or text, text)
        return key_id_of(holder[path[-1]])

    def _open(self, stored: Stored, path: Path) -> None:
        holder = _holder(stored, path)
        if holder.get(path[-1]) is not None:
            holder[path[-1]] = self.seals.open(holder[path[-1]])


def _holder(stored: Stored, path: Path) -> Stored:
    """The innermost object on the path; an empty one where the path leads nowhere."""
    for name in path[:-1]:
        stored = stored.get(name) or {}
    return stored
