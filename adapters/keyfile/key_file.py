"""
Personal keys in one JSON file that only its owner can read.

People are found by a keyed hash of their name, so that the file names nobody. Every change is
written beside the file, synced and moved over it: a key is durable before anything is sealed
with it.
"""

import base64
import hashlib
import hmac
import json
import secrets
from pathlib import Path
from threading import Lock

from attrs import define, field

from adapters.eventstore.sealing import PersonalKey
from adapters.keyfile.private_file import read_private, write_private
from application.errors import Unavailable

_KEY_BYTES = 32


@define
class KeyFile:
    path: Path
    _salt: bytes = b""
    _keys: dict[str, PersonalKey] = field(factory=dict)
    _by_id: dict[str, PersonalKey] = field(factory=dict)
    _destroyed: frozenset[str] = frozenset()
    _lock: Lock = field(factory=Lock)

    @classmethod
    def open(cls, path: Path) -> "KeyFile":
        """Open the file, or make it.

        Raises:
            NotPrivate: Others may read the file.
            Unavailable: The file is damaged.
        """
        ring = cls(path)
        if path.exists():
            ring._read()
        else:
            ring._salt = secrets.token_bytes(16)
            ring._replace({}, frozenset())
        return ring

    def key_of(self, person: str) -> PersonalKey:
        with self._lock:
            alias = self._alias(person)
            if alias not in self._keys:
                key = PersonalKey(secrets.token_hex(8), secrets.token_bytes(_KEY_BYTES))
                self._replace({**self._keys, alias: key}, self._destroyed)
            return self._keys[alias]

    def key(self, key_id: str) -> PersonalKey | None:
        known = self._by_id.get(key_id)
        if known is None and key_id not in self._destroyed:
            raise Unavailable("the key file", f"it lacks the key {key_id}: restore a newer copy")
        return known

    def destroy(self, person: str) -> bool:
        with self._lock:
            alias = self._alias(person)
            if alias not in self._keys:
                return False
            rest = {other: key for other, key in self._keys.items() if other != alias}
            self._replace(rest, self._destroyed | {self._keys[alias].key_id})
            return True

    def _alias(self, person: str) -> str:
        normal = person.strip().casefold().encode()
        return hmac.new(self._salt, normal, hashlib.sha256).hexdigest()

    def _replace(self, keys: dict[str, PersonalKey], destroyed: frozenset[str]) -> None:
        """Nothing is remembered that is not durable."""
        self._write(keys, destroyed)
        self._remember(keys, destroyed)

    def _remember(self, keys: dict[str, PersonalKey], destroyed: frozenset[str]) -> None:
        self._keys, self._destroyed = keys, destroyed
        self._by_id = {key.key_id: key for key in keys.values()}

    def _read(self) -> None:
        try:
            written = json.loads(read_private(self.path))
            self._salt = base64.b64decode(written["salt"])
            people = {
                alias: PersonalKey(key_id, base64.b64decode(secret))
                for alias, (key_id, secret) in written["people"].items()
            }
            self._remember(people, frozenset(written["destroyed"]))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            said = f"{self.path} is damaged ({error!r}): restore it from a copy"
            raise Unavailable("the key file", said) from error

    def _write(self, keys: dict[str, PersonalKey], destroyed: frozenset[str]) -> None:
        people = {
            alias: [key.key_id, base64.b64encode(key.secret).decode()]
            for alias, key in keys.items()
        }
        salt = base64.b64encode(self._salt).decode()
        try:
            told = {"salt": salt, "people": people, "destroyed": sorted(destroyed)}
            write_private(self.path, json.dumps(told))
        except OSError as error:
            raise Unavailable("the key file", str(error)) from error
