"""Where Redis is: an address that is wrong is noticed before anything is connected to."""

import re
from typing import Any
from urllib.parse import urlsplit

from redis.asyncio.cluster import RedisCluster
from redis.asyncio.connection import Connection, SSLConnection, parse_url
from redis.exceptions import RedisClusterException, RedisError

_DATABASE = re.compile(r"/?|/[0-9]{1,9}")
_OF_THE_POOL = {"connection_class", "max_connections", "timeout"}
_NO_TEXT = {"credential_provider", "event_dispatcher", "redis_connect_func", "retry"}
"""Options that are things of a program: no address can say them."""


def can_be_redis(url: str, *, cluster: bool) -> bool:
    """Whether it names a port, a database and options that there can be, and files that there are.

    The library passes over a database that is no number, and would use the first one; at most
    options it looks only when it connects.
    """
    try:
        parts = urlsplit(url)
        said = dict(parse_url(url))
        _prepare_cluster(url) if cluster else _prepare(said)
    except (AttributeError, ValueError, TypeError, OSError, RedisError, RedisClusterException):
        return False
    if _NO_TEXT & said.keys():
        return False
    return parts.scheme == "unix" or _DATABASE.fullmatch(parts.path) is not None


def _prepare_cluster(url: str) -> None:
    """It knows other options, and one database only."""
    _ = RedisCluster.from_url(url)


def _prepare(said: dict[str, Any]) -> None:
    """Make a connection without opening it."""
    options = {name: value for name, value in said.items() if name not in _OF_THE_POOL}
    connection = said.get("connection_class", Connection)(**options)
    if isinstance(connection, SSLConnection):
        connection.ssl_context.get()
