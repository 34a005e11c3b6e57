"""What the library's environment says, checked."""

from typing import TypeVar, cast

from eventsourcing.utils import Environment, resolve_topic, strtobool

from adapters.eventsourcing_library.shared.translation import OriginatorIdType

R = TypeVar("R")

ORIGINATOR_ID_TYPE = "ORIGINATOR_ID_TYPE"
CREATE_TABLE = "CREATE_TABLE"


def needed(env: Environment, key: str, what: str) -> str:
    """Raises OSError if nothing is set."""
    value = env.get(key)
    if not value:
        raise OSError(f"no {what} is named: set one of {', '.join(env.create_keys(key))}")
    return value


def creates_tables(env: Environment) -> bool:
    return strtobool(env.get(CREATE_TABLE) or "yes")


def originator_id_type(env: Environment) -> OriginatorIdType:
    kind = (env.get(ORIGINATOR_ID_TYPE) or "uuid").lower()
    if kind not in ("uuid", "text"):
        raise OSError(f"{ORIGINATOR_ID_TYPE} must be 'uuid' or 'text', not '{kind}'")
    return cast(OriginatorIdType, kind)


def chosen(env: Environment, key: str, usual: type[R]) -> type[R]:
    """The class that the environment names, or the usual one.

    Raises:
        TypeError: It is not one of that kind.
    """
    topic = env.get(key)
    kind: type[R] = resolve_topic(topic) if topic else usual
    if not issubclass(kind, usual):
        raise TypeError(f"{key} must name a {usual.__name__}, not {kind}")
    return kind
