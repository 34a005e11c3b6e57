"""Words for what is appended in the tests of the log."""

from adapters.eventstore.log import Append, Guard, NewEvent


def event(stream: str, version: int, data: bytes = b"{}") -> NewEvent:
    return NewEvent(stream, version, "thing.happened", data, b"id", b"meta")


def append(stream: str, *versions: int) -> Append:
    return Append([event(stream, version) for version in versions])


def guarded(stream: str, version: int, *guards: tuple[str, int]) -> Append:
    return Append([event(stream, version)], [Guard(*guard) for guard in guards])
