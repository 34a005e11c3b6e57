"""Idempotency keys: a ULID for each write, the same for all its tries."""

import secrets
import time

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_RANDOM_BITS = 80


def new_key() -> str:
    number = time.time_ns() // 1_000_000 << _RANDOM_BITS | secrets.randbits(_RANDOM_BITS)
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))
