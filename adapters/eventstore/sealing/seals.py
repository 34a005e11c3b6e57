"""
Personal data, sealed with a key of the person's own. Destroying the key erases the person.

    sealed.1.<key id>.<nonce and AES-GCM ciphertext, base64url>
"""

import base64
import os
from collections.abc import Callable
from typing import Protocol

from attrs import define, field, frozen
from cachetools import LRUCache
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from application.recorded import ERASED

CONFIDENTIAL = "@confidential"
"""Whose key seals what is nobody's personal data and shall not be stored in clear either."""

_PREFIX = "sealed.1."
_NONCE = 12
_REMEMBERED = 10_000


@frozen
class PersonalKey:
    key_id: str
    secret: bytes


class KeyRing(Protocol):
    """Keeps one key per person."""

    def key_of(self, person: str) -> PersonalKey:
        """The person's key, made and durably kept if there is none yet.

        Raises:
            Unavailable: Another process destroyed it, and what was opened with it may still be in
                our memory: under a new key it would be kept for good.
        """
        ...

    def key(self, key_id: str) -> PersonalKey | None:
        """The key, nothing once it is destroyed.

        Raises:
            Unavailable: It was never destroyed, and is not here either.
        """
        ...

    def destroy(self, person: str) -> bool:
        """Destroy the person's key for good; False if there was none."""
        ...

    def lost_some(self) -> bool:
        """Whether other processes destroyed keys that were known here."""
        ...

    def let_go(self) -> None:
        """Nothing is in memory any more that was opened with lost keys: whoever they belonged to
        may be mentioned anew.
        """
        ...


@define
class Seals:
    """Seals and opens values; remembers what it opened, because the same few names recur."""

    keys: KeyRing
    random: Callable[[int], bytes] = os.urandom
    _names: LRUCache[str, str] = field(factory=lambda: LRUCache(_REMEMBERED))
    _opened: LRUCache[str, str] = field(factory=lambda: LRUCache(_REMEMBERED))

    def seal(self, person: str, text: str) -> str:
        if text == ERASED:
            return text
        key = self.keys.key_of(person)
        nonce = self.random(_NONCE)
        ciphertext = AESGCM(key.secret).encrypt(nonce, text.encode(), key.key_id.encode())
        return f"{_PREFIX}{key.key_id}.{base64.urlsafe_b64encode(nonce + ciphertext).decode()}"

    def seal_name(self, person: str) -> str:
        """Seal a person's name. The same name gives the same token while this process lives."""
        token = self._names.get(person)
        if token is None:
            token = self._names[person] = self.seal(person, person)
        return token

    def open(self, token: str) -> str:
        """What was sealed, or `ERASED` when the key is gone.

        Raises:
            ValueError: It is not a token.
            InvalidTag: It was tampered with.
        """
        text = self._opened.get(token)
        if text is None:
            text = self._opened[token] = self._decrypted(token)
        return text

    def forget(self, person: str) -> bool:
        """Destroy the person's key and everything remembered; False if there was no key."""
        destroyed = self.keys.destroy(person)
        self.forget_all()
        return destroyed

    def forget_all(self) -> None:
        """Remember nothing that was opened; nobody else may either."""
        self._names.clear()
        self._opened.clear()
        self.keys.let_go()

    def _decrypted(self, token: str) -> str:
        if token == ERASED:
            return token
        if not is_sealed(token):
            raise ValueError("a personal value is not sealed")
        key_id, _, body = token.removeprefix(_PREFIX).partition(".")
        key = self.keys.key(key_id)
        if key is None:
            return ERASED
        sealed = base64.urlsafe_b64decode(body)
        opened = AESGCM(key.secret).decrypt(sealed[:_NONCE], sealed[_NONCE:], key_id.encode())
        return opened.decode()


def is_sealed(text: str) -> bool:
    return text.startswith(_PREFIX)


def key_id_of(token: str) -> str:
    """Which key a token was sealed with; empty for what was erased before it was sealed."""
    if not is_sealed(token):
        return ""
    return token.removeprefix(_PREFIX).partition(".")[0]
