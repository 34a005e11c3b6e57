"""Personal keys that live as long as the process."""

import secrets

from attrs import define, field

from adapters.eventstore.sealing.seals import PersonalKey


@define
class MemoryKeys:
    _keys: dict[str, PersonalKey] = field(factory=dict)
    """What is not here was destroyed: nothing else can happen to it."""

    def key_of(self, person: str) -> PersonalKey:
        made = PersonalKey(secrets.token_hex(8), secrets.token_bytes(32))
        return self._keys.setdefault(person.strip().casefold(), made)

    def key(self, key_id: str) -> PersonalKey | None:
        return next((key for key in self._keys.values() if key.key_id == key_id), None)

    def destroy(self, person: str) -> bool:
        return self._keys.pop(person.strip().casefold(), None) is not None

    def lost_some(self) -> bool:
        return False  # No other process has them.

    def let_go(self) -> None:
        """Nothing was lost."""
