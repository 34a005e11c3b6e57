"""What the archive holds and what was done about it, as lines for people."""

from collections.abc import Iterator
from typing import Any

from entrypoints.cli.plurals import counted

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
        yield f"{spared} spared: still at hand, or held by severe incidents that are open"
    yield f"{answer['seconds']:,.1f} s"


def rebuilt(answer: Answer) -> Iterator[str]:
    seconds = answer["seconds"]
    rate = answer["items"] / seconds if seconds else 0
    yield f"{counted(answer['items'], 'item')} in {seconds:,.1f} s, {rate:,.0f}/s"
    yield f"{answer['pinned']:,} pinned"
    if answer["missing"]:
        yield f"{answer['missing']:,} more are named by severe incidents, and were never kept"


_MEANING = {
    "missing_in_archive": "in the cache and missing in the archive",
    "missing_in_cache": "in the archive and missing in the cache",
    "differing": "in the cache and not as the archive has it",
    "damaged": "damaged in the cache",
}


def verified(answer: Answer) -> Iterator[str]:
    for one in answer["archive"]["faults"]:
        yield f"{one['object']}: {one['reason']}"
    for one in answer["differences"]:
        yield f"{one['evidence_id']}: {_MEANING[one['kind']]}"
    for kind, number in answer["counts"].items():
        yield f"{counted(number, 'item')} {_MEANING[kind]}"
    yield from _conclusions(answer)
    yield f"{answer['seconds']:,.1f} s"


def _conclusions(answer: Answer) -> Iterator[str]:
    archive = answer["archive"]
    read = f"archive: {counted(archive['objects'], 'object')}, {counted(archive['items'], 'item')}"
    faults = len(archive["faults"])
    yield f"{read}, {counted(faults, 'fault') if faults else 'nothing is wrong'}"
    wrong = sum(answer["counts"].values())
    well = "no difference" if answer["cache_fault"] else "nothing is wrong"
    differ = counted(wrong, "difference") if wrong else well
    yield f"cache: {counted(answer['compared'], 'item')} compared, {differ}"
    if answer["cache_fault"]:
        yield f"the cache is damaged: {answer['cache_fault']}"
    if answer["undecided"]:
        undecided = counted(answer["undecided"], "item")
        yield f"{undecided} in the cache could not be compared: mend the archive first"
    yield from _advice(answer)


def _advice(answer: Answer) -> Iterator[str]:
    if answer["repaired"]:
        yield "the cache was filled anew"
    elif answer["archive"]["faults"] or answer["undecided"]:
        yield "nothing was dropped: the cache may have the only copy"
    elif "missing_in_archive" in answer["counts"]:
        yield "nothing was dropped: restore the archive, or give up what it lacks:"
        yield "`statestore rebuild evidence --accept-loss`"
    elif not answer["sound"]:
        yield "`statestore verify evidence --repair` fills the cache anew from the archive"
