"""The personal keys, read beside the process that owns their file."""

from pathlib import Path

from attrs import define

from adapters.eventstore.mapper import Mapper
from adapters.eventstore.sealing.seals import CONFIDENTIAL, PersonalKey, Seals
from adapters.key_file.key_file import KeyFile
from adapters.memory.keys import MemoryKeys
from application.errors import Unavailable


@define
class KeysBeside:
    """Never makes or destroys a person's key. A key that is not known yet is looked for in the file
    again: the server may have just made it.
    """

    path: Path
    _ring: KeyFile

    @classmethod
    def open(cls, path: Path) -> "KeysBeside":
        """Raises Unavailable if the file is damaged, NotPrivate if others may read it."""
        return cls(path, KeyFile.open(path))

    def key(self, key_id: str) -> PersonalKey | None:
        try:
            return self._ring.key(key_id)
        except Unavailable:
            self._ring = KeyFile.open(self.path)
            return self._ring.key(key_id)

    def key_of(self, person: str) -> PersonalKey:
        """Only what is nobody's gets a key here: a person without one may have been erased."""
        if person in (CONFIDENTIAL, ""):
            return self._ring.key_of(person)
        known = self._ring.known_key_of(person)
        if known is None:
            raise Unavailable("the key file", "somebody was erased meanwhile: begin again")
        return known

    def destroy(self, person: str) -> bool:
        raise Unavailable("the key file", "it is only read here")

    def lost_some(self) -> bool:
        return self._ring.lost_some()

    def let_go(self) -> None:
        self._ring.let_go()


def mapper_beside(path: Path) -> Mapper:
    """A mapper that can open what was sealed; without the file everyone is as if erased."""
    if not path.exists():
        return closed_mapper()
    return Mapper.of_catalogue(Seals(KeysBeside.open(path)))


def closed_mapper() -> Mapper:
    """A mapper that opens nothing: to it everyone is as if erased."""
    return Mapper.of_catalogue(Seals(MemoryKeys()))
