"""Personal values in rows: sealed with a key per person, gone when that key is destroyed."""

from adapters.eventstore.sealing.seals import Seals


def sealed(seals: Seals, person: str | None) -> str | None:
    """A person's name or address as it lies in a row. What was erased stays erased."""
    return None if person is None else seals.seal_name(person)


def opened(seals: Seals, stored: str | None) -> str | None:
    return None if stored is None else seals.open(stored)
