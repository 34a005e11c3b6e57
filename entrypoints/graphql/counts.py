"""Counts: an Int has 32 bits, ours may have 53."""

from entrypoints.graphql.errors import BeyondInt

LARGEST = 2**31 - 1


def as_int(count: int, *, instead: str) -> int:
    """Raises BeyondInt rather than tell another number."""
    if count > LARGEST:
        raise BeyondInt(count, instead)
    return count
