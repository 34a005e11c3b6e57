"""
Who is told of events over HTTP: a list of webhooks, as JSON.

    [{"name": "oncall", "url": "https://…", "secret": "…", "types": ["INCIDENT_CREATED"]}]
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import orjson
from attrs import field, frozen

from adapters.key_file.private_file import NotPrivate, read_private
from application.delivery.event import EventType

SHORTEST_SECRET = 16
MOST_WEBHOOKS = 50

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_STRANGE = re.compile(r"[\s\\\x00-\x1f]")
_KNOWN = ("name", "url", "secret", "types")


@frozen
class Webhook:
    name: str
    url: str
    secret: str = field(repr=False)
    types: frozenset[EventType] = frozenset(EventType)


def webhooks_said(said: str) -> str:
    """The list itself, or what is in the file that is named instead.

    Raises:
        ValueError: The file cannot be read, or others may read it.
    """
    if said.lstrip().startswith("["):
        return said
    try:
        return read_private(Path(said))
    except (OSError, ValueError) as error:
        # Not as the system words it, which repeats what was said: that may be a list after all.
        reason = getattr(error, "strerror", None) or "it is not text"
        raise ValueError(f"is no list, and no file that can be read: {reason}") from None
    except NotPrivate as error:
        raise ValueError(str(error)) from None


def read_webhooks(text: str) -> Sequence[Webhook]:
    """Read the list.

    Raises:
        ValueError: With everything that is wrong with it, and nothing that is secret.
    """
    try:
        said = orjson.loads(text)
    except orjson.JSONDecodeError:
        raise ValueError("must be a JSON list of webhooks") from None
    if not isinstance(said, list) or not all(isinstance(one, dict) for one in said):
        raise ValueError("must be a JSON list of webhooks")
    problems = list(_problems(said))
    if problems:
        raise ValueError("; ".join(problems))
    return [_webhook(one) for one in said]


def _webhook(said: Mapping[str, Any]) -> Webhook:
    types = frozenset(map(EventType, said.get("types", EventType)))
    return Webhook(said["name"], said["url"], said["secret"], types)


def _problems(said: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if len(said) > MOST_WEBHOOKS:
        yield f"at most {MOST_WEBHOOKS} webhooks, not {len(said)}"
    names = [one.get("name") for one in said]
    for number, one in enumerate(said, 1):
        for problem in _problems_of(one):
            yield f"webhook {number}: {problem}"
        if names.count(one.get("name")) > 1:
            yield f"webhook {number}: another one has the same name"


def _problems_of(said: Mapping[str, Any]) -> Iterator[str]:
    for name in sorted(said.keys() - set(_KNOWN)):
        yield f"{name} is not known"
    if not _is_text(said, "name") or not _NAME.fullmatch(said["name"]):
        yield "name must be 1 to 40 lower-case letters, digits and hyphens"
    if not _is_text(said, "url") or not _is_address(said["url"]):
        yield "url must begin with https:// or http:// and name a host, without spaces"
    if not _is_text(said, "secret") or len(said["secret"]) < SHORTEST_SECRET:
        yield f"secret must have at least {SHORTEST_SECRET} characters"
    if not _are_types(said.get("types", [*EventType])):
        yield f"types must be a list of {', '.join(EventType)}"


def _is_text(said: Mapping[str, Any], name: str) -> bool:
    return isinstance(said.get(name), str)


def _is_address(url: str) -> bool:
    """Whatever passes can be asked for: a host that no name server knows is only away."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").encode("idna")
        known = parts.scheme in ("http", "https") and parts.port != 0
    except ValueError:
        return False
    return known and bool(host) and not _STRANGE.search(url)


def _are_types(types: object) -> bool:
    return isinstance(types, list) and bool(types) and set(map(str, types)) <= set(EventType)
