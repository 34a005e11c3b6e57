"""Where Redis is: an address that is wrong is noticed before anything is connected to."""

import re
from urllib.parse import urlsplit

from redis.asyncio.connection import parse_url

_DATABASE = re.compile(r"/?|/[0-9]{1,9}")


def can_be_redis(url: str) -> bool:
    """Whether it names a port and a database that there can be.

    The library passes over a database that is no number, and would use the first one.
    """
    try:
        parts = urlsplit(url)
        parse_url(url)
    except ValueError:
        return False
    return parts.scheme == "unix" or _DATABASE.fullmatch(parts.path) is not None
