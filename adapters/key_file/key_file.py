"""
Personal keys in one JSON file that only its owner can read.

People are found by a keyed hash of their name, so that the file names nobody. Every change is
written beside the file, synced and moved over it: a key is durable before anything is sealed
with it. Several processes may share the file: they change it one at a time, and look again for
what the others have changed.
"""

import base64
import fcntl
import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from attrs import define, field

from adapters.eventstore.sealing.seals import PersonalKey
from adapters.key_file.private_file import read_private, write_private
from application.errors import Unavailable

_KEY_BYTES = 32


@define
class KeyFile:
    path: Path
    _salt: bytes = b""
    _keys: dict[str, PersonalKey] = field(factory=dict)
    _by_id: dict[str, PersonalKey] = field(factory=dict)
    _destroyed: frozenset[str] = frozenset()
    _had: dict[str, str] = field(factory=dict)
    """The keys that something in memory may have been opened with, by whose they are."""
    _seen: tuple[int, int] = (0, 0)
    """Which file was read last: every change makes another one."""
    _lock: Lock = field(factory=Lock)

    @classmethod
    def open(cls, path: Path) -> "KeyFile":
        """Open the file, or make it.

        Raises:
            NotPrivate: Others may read the file.
            Unavailable: The file is damaged.
        """
        ring = cls(path)
        with ring._alone():
            if not path.exists():
                ring._salt = secrets.token_bytes(16)
                ring._replace({}, frozenset())
        return ring

    def key_of(self, person: str) -> PersonalKey:
        if self._is_old():
            self._look_again()
        known = self._keys.get(self._alias(person))
        return self._made(person) if known is None else known

    def known_key_of(self, person: str) -> PersonalKey | None:
        """The person's key, nothing if there is none: it is not made."""
        if self._is_old():
            self._look_again()
        return self._keys.get(self._alias(person))

    def _made(self, person: str) -> PersonalKey:
        with self._alone():
            alias = self._alias(person)
            if alias not in self._keys:
                self._refuse_to_bring_back(alias)
                key = PersonalKey(secrets.token_hex(8), secrets.token_bytes(_KEY_BYTES))
                self._replace({**self._keys, alias: key}, self._destroyed)
            return self._keys[alias]

    def key(self, key_id: str) -> PersonalKey | None:
        if self._is_unheard_of(key_id):
            self._look_again()
        if self._is_unheard_of(key_id):
            raise Unavailable("the key file", f"it lacks the key {key_id}: restore a newer copy")
        return self._by_id.get(key_id)

    def destroy(self, person: str) -> bool:
        with self._alone():
            alias = self._alias(person)
            if alias not in self._keys:
                return False
            rest = {other: key for other, key in self._keys.items() if other != alias}
            self._replace(rest, self._destroyed | {self._keys[alias].key_id})
            return True

    def lost_some(self) -> bool:
        if self._is_old():
            self._look_again()
        return not self._destroyed.isdisjoint(self._had.values())

    def let_go(self) -> None:
        self._had = {alias: key.key_id for alias, key in self._keys.items()}

    def _refuse_to_bring_back(self, alias: str) -> None:
        if self._had.get(alias) in self._destroyed:
            said = "another process erased somebody who is still being forgotten here; try again"
            raise Unavailable("the key file", said)

    def _is_unheard_of(self, key_id: str) -> bool:
        return key_id not in self._by_id and key_id not in self._destroyed

    def _look_again(self) -> None:
        """Another process may have changed the file."""
        with self._alone():
            return

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """No other thread or process changes the file; what they have changed is known."""
        with self._lock, _only_one(self.path):
            if self.path.exists() and self._is_old():
                self._read()
            yield

    def _is_old(self) -> bool:
        return self._seen != _identity(self.path)

    def _alias(self, person: str) -> str:
        normal = person.strip().casefold().encode()
        return hmac.new(self._salt, normal, hashlib.sha256).hexdigest()

    def _replace(self, keys: dict[str, PersonalKey], destroyed: frozenset[str]) -> None:
        """Nothing is remembered that is not durable."""
        self._write(keys, destroyed)
        self._seen = _identity(self.path)
        self._remember(keys, destroyed)

    def _remember(self, keys: dict[str, PersonalKey], destroyed: frozenset[str]) -> None:
        self._keys, self._destroyed = keys, destroyed
        self._had |= {alias: key.key_id for alias, key in keys.items()}
        self._by_id = {key.key_id: key for key in keys.values()}

    def _read(self) -> None:
        seen = _identity(self.path)
        try:
            written = json.loads(read_private(self.path))
            self._salt = base64.b64decode(written["salt"])
            people = {
                alias: PersonalKey(key_id, base64.b64decode(secret))
                for alias, (key_id, secret) in written["people"].items()
            }
            self._remember(people, frozenset(written["destroyed"]))
            self._seen = seen
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


def _identity(path: Path) -> tuple[int, int]:
    """Raises Unavailable if the file is gone."""
    try:
        found = path.stat()
    except OSError as error:
        raise Unavailable("the key file", str(error)) from error
    return found.st_ino, found.st_mtime_ns


@contextmanager
def _only_one(path: Path) -> Iterator[None]:
    """One process at a time, by a lock beside the file; the system lets go of it if we die."""
    try:
        handle = os.open(path.with_name(f".{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise Unavailable("the key file", str(error)) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
