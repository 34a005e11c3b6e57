"""What the archive holds and what was done about it, as lines for people."""

from collections.abc import Iterator
from typing import Any

from entrypoints.words import counted

Answer = dict[str, Any]


def stock(answer: Answer) -> Iterator[str]:
    yield f"items: {answer['items']:,}"
    yield f"segments: {answer['segments']:,}"
    yield f"batches that are not sorted yet: {answer['batches']:,}"
    yield f"stored bytes: {answer['stored_bytes']:,}"
    yield f"oldest: {answer['oldest'] or '-'}"


def compacted(answer: Answer) -> Iterator[str]:
    before, after = answer["before"], answer["after"]
    yield f"batches that were not sorted: {before['batches']:,} before, {after['batches']:,} now"
    yield counted(after["segments"], "segment")
    yield f"{answer['seconds']:,.1f} s"


def forgotten(answer: Answer) -> Iterator[str]:
    what = counted(answer["items"], "item")
    yield f"forgot {what} in {counted(answer['segments'], 'segment')}"
    if answer["spared"]:
        spared = counted(answer["spared"], "item")
        yield f"{spared} spared: severe incidents that are open hold them"
    yield f"{answer['seconds']:,.1f} s"


def rebuilt(answer: Answer) -> Iterator[str]:
    seconds = answer["seconds"]
    rate = answer["items"] / seconds if seconds else 0
    yield f"{counted(answer['items'], 'item')} in {seconds:,.1f} s, {rate:,.0f}/s"
    yield f"{answer['pinned']:,} pinned"
    if answer["missing"]:
        yield f"{answer['missing']:,} more are named by severe incidents, and were never kept"
