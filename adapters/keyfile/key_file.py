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
    _lock: Lock = field(factory=Lock)

    @classmethod
    def open(cls, path: Path) -> "KeyFile":
        """Open the file, or make it.

        Raises:
            NotPrivate: Others may read the file.
        """
        ring = cls(path)
        if path.exists():
            ring._read()
        else:
            ring._salt = secrets.token_bytes(16)
            ring._replace({})
        return ring

    def key_of(self, person: str) -> PersonalKey:
        with self._lock:
            alias = self._alias(person)
            if alias not in self._keys:
                key = PersonalKey(secrets.token_hex(8), secrets.token_bytes(_KEY_BYTES))
                self._replace({**self._keys, alias: key})
            return self._keys[alias]

    def key(self, key_id: str) -> PersonalKey | None:
        return self._by_id.get(key_id)

    def destroy(self, person: str) -> bool:
        with self._lock:
            alias = self._alias(person)
            if alias not in self._keys:
                return False
            self._replace({other: key for other, key in self._keys.items() if other != alias})
            return True

    def _alias(self, person: str) -> str:
        normal = person.strip().casefold().encode()
        return hmac.new(self._salt, normal, hashlib.sha256).hexdigest()

    def _replace(self, keys: dict[str, PersonalKey]) -> None:
        """Nothing is remembered that is not durable."""
        self._write(keys)
        self._remember(keys)

    def _remember(self, keys: dict[str, PersonalKey]) -> None:
        self._keys = keys
        self._by_id = {key.key_id: key for key in keys.values()}

    def _read(self) -> None:
        written = json.loads(read_private(self.path))
        self._salt = base64.b64decode(written["salt"])
        self._remember(
            {
                alias: PersonalKey(key_id, base64.b64decode(secret))
                for alias, (key_id, secret) in written["people"].items()
            }
        )

    def _write(self, keys: dict[str, PersonalKey]) -> None:
        people = {
            alias: [key.key_id, base64.b64encode(key.secret).decode()]
            for alias, key in keys.items()
        }
        salt = base64.b64encode(self._salt).decode()
        try:
            write_private(self.path, json.dumps({"salt": salt, "people": people}))
        except OSError as error:
            raise Unavailable("the key file", str(error)) from error
