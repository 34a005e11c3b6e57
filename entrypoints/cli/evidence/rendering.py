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
    "missing": "in the archive and not at hand",
    "different": "at hand, and not as the archive has it",
    "damaged": "damaged in the cache",
    "only_here": "at hand, and not in the archive",
    "lost": "damaged in the cache, and not in the archive",
}


_ANEW = "`statestore replay evidence` makes the cache anew"


def verified(answer: Answer) -> Iterator[str]:
    archive = answer["archive"]
    for one in archive["faults"]:
        yield f"{one['object']}: {one['because']}"
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
    well = "no difference" if answer["cache_fault"] or answer["cut_short"] else "nothing is wrong"
    differ = counted(wrong, "difference") if wrong else well
    yield f"cache: {counted(answer['compared'], 'item')} compared, {differ}"
    if answer["cache_fault"]:
        yield f"the cache is damaged: {answer['cache_fault']}"
    if answer["undecided"]:
        undecided = counted(answer["undecided"], "item")
        yield f"{undecided} at hand could not be compared: mend the archive first"
    if answer["kept_again"]:
        yield f"{counted(answer['kept_again'], 'item')} kept again in the archive"
    if answer["cache_rebuilt"]:
        yield "the cache was filled anew"
    elif answer["cut_short"]:
        yield "nothing was thrown away: a part of the cache could not be read"
        yield f"{_ANEW}, and leaves the damaged file as evidence-cache.db.aside"
    elif faults or answer["undecided"]:
        yield "nothing was thrown away: the cache may have the only copy"
    elif "lost" in answer["counts"]:
        yield "nothing was thrown away: the cache may have the only copy, damaged as it is"
        yield f"{_ANEW}, without what is lost"
    elif (wrong or answer["cache_fault"]) and not answer["repaired"]:
        yield "`statestore verify evidence --repair` mends what the archive can tell"
