"""Which of the media types an answer can have is liked best (RFC 9110, 12.5.1)."""

from collections.abc import Sequence

from attrs import frozen

GRAPHQL = "application/graphql-response+json"
JSON = "application/json"
EVENTS = "text/event-stream"
HTML = "text/html"

MOST_RANGES = 50
"""Nobody likes more than so many things."""


@frozen
class _Range:
    kind: str
    quality: float
    at: int

    def fits(self, offered: str) -> int:
        """How exactly: 3 for the type itself, 0 for not at all."""
        if self.kind == offered:
            return 3
        if self.kind == offered.partition("/")[0] + "/*":
            return 2
        return 1 if self.kind == "*/*" else 0


def preferred(accept: str, offered: Sequence[str]) -> str | None:
    """The one that is liked best, the first offered if all are the same; none if none is liked."""
    ranges = _ranges(accept)
    if not ranges:
        return offered[0]
    liked = [(one, _liked(one, ranges)) for one in offered]
    best, (quality, *_) = max(liked, key=lambda pair: pair[1])
    return best if quality > 0 else None


def _liked(offered: str, ranges: Sequence[_Range]) -> tuple[float, int, int]:
    """How much; what is said of the type itself counts before what is said of many."""
    fitting = [one for one in ranges if one.fits(offered)]
    if not fitting:
        return (0.0, 0, 0)
    said = max(fitting, key=lambda one: one.fits(offered))
    exactly = said.fits(offered)
    return (said.quality, exactly, -said.at if exactly == 3 else -MOST_RANGES)


def _ranges(accept: str) -> list[_Range]:
    said = [part.strip() for part in accept.split(",")[:MOST_RANGES] if part.strip()]
    return [_range(part, at) for at, part in enumerate(said)]


def _range(said: str, at: int) -> _Range:
    kind, *parameters = (part.strip().lower() for part in said.split(";"))
    quality = next((part[2:] for part in parameters if part.startswith("q=")), "1")
    try:
        return _Range(kind, min(max(float(quality), 0.0), 1.0), at)
    except ValueError:
        return _Range(kind, 0.0, at)
