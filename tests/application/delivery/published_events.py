"""Events of stories, as every sink would be told them."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from attrs import frozen
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from application.delivery.event import Event
from application.delivery.event_factory import Announcements
from application.errors import NotReadable
from application.recorded import Recorded, Unreadable
from domain.streams import StreamId

SCHEMA = Path(__file__).parents[3] / "docs" / "events.schema.json"


@frozen
class StoryStreams:
    """The streams of a story, as far as events look things up in them."""

    recorded: Sequence[Recorded]

    async def facts(
        self, stream: StreamId, *, after: int = 0, limit: int | None = None
    ) -> Sequence[Recorded]:
        found = [one for one in self.recorded if one.stream == stream and one.version > after]
        if any(isinstance(one.fact, Unreadable) for one in found[:limit]):
            raise NotReadable(stream, "it cannot be read")
        return found[:limit]

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"events need no {name}")


def announcements(facts: Sequence[Recorded]) -> Announcements:
    return Announcements(StoryStreams(facts))


def events_of(facts: Sequence[Recorded]) -> Sequence[Event]:
    return asyncio.run(announcements(facts).of_all(facts))


def documents(facts: Sequence[Recorded]) -> list[dict[str, Any]]:
    return [fitting(event.document()) for event in events_of(facts)]


def fitting(document: dict[str, Any]) -> dict[str, Any]:
    """The document, which is what the schema in the documentation says."""
    _validator().validate(document)
    return document


def essence(document: Mapping[str, Any]) -> dict[str, Any]:
    """What an event says, without what every event has."""
    common = ("event_id", "schema_version", "position", "timestamp")
    return {name: value for name, value in document.items() if name not in common}


@cache
def _validator() -> Any:
    return Draft202012Validator(json.loads(SCHEMA.read_text()))
