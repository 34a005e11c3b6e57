"""Whether an append continues its streams: the one rule that every engine keeps."""

from collections.abc import Callable, Sequence

from adapters.eventstore.log import Append, Guard, NewEvent, StreamConflict

LastVersion = Callable[[str], int | None]


def continued(append: Append, last_version: LastVersion) -> dict[str, int]:
    """The last version of every stream that the append would write.

    Raises:
        StreamConflict: A guard does not hold, or a version does not continue its stream.
    """
    _check_guards(append.guards, last_version)
    return _moved(append.events, last_version)


def refuse_empty(append: Append) -> None:
    if not append.events:
        raise ValueError("an append needs at least one event")


def _check_guards(guards: Sequence[Guard], last_version: LastVersion) -> None:
    for guard in guards:
        last = last_version(guard.stream)
        if last != (guard.version or None):
            raise StreamConflict(guard.stream, guard.version, last)


def _moved(events: Sequence[NewEvent], last_version: LastVersion) -> dict[str, int]:
    moved: dict[str, int] = {}
    for event in events:
        stream, version = event.stream, event.version
        last = moved[stream] if stream in moved else last_version(stream)
        if version != last + 1 if last is not None else version not in (0, 1):
            raise StreamConflict(stream, version, last)
        moved[stream] = version
    return moved
