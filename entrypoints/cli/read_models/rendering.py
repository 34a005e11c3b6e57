"""What rebuilding and verifying found, as lines for people."""

import json
from collections.abc import Iterator
from typing import Any

from entrypoints.cli.plurals import counted

Answer = dict[str, Any]


def rebuilt(answer: Answer) -> Iterator[str]:
    for one in answer["projections"]:
        yield f"{one['projection']} is read from generation {one['generation']}"
    seconds = answer["seconds"]
    rate = answer["events"] / seconds if seconds else 0
    yield f"{counted(answer['events'], 'event')} in {seconds:,.1f} s, {rate:,.0f}/s"
    yield "The tables before stay until `statestore verify` finds nothing wrong."


def verified(answer: Answer) -> Iterator[str]:
    for one in answer["projections"]:
        for difference in one["differences"]:
            yield from _difference(difference)
        if one["events_replayed_first"]:
            yield _folded_first(one)
        yield _summary(one)
    yield f"{answer['seconds']:,.1f} s"


def _folded_first(one: Answer) -> str:
    number = one["events_replayed_first"]
    count = "1 event was" if number == 1 else f"{number:,} events were"
    return f"{one['projection']}: {count} not folded yet; folded now"


def _summary(one: Answer) -> str:
    where = f"{one['projection']}: {counted(one['events'], 'event')}"
    if one["sound"]:
        return f"{where}, nothing is wrong{_dropped(one)}{_kept(one)}"
    number = len(one["differences"])
    rows = counted(number, "row")
    rows = f"more than {rows}" if one["more_differences"] else rows
    repaired = one["repaired_by_generation"]
    if repaired is None:
        differ = "differs" if rows == "1 row" else "differ"
        return f"{where}, {rows} {differ}; `statestore verify --repair` mends that"
    return f"{where}, {rows} differed; generation {repaired} is right and read now"


def _dropped(one: Answer) -> str:
    numbers = ", ".join(map(str, one["dropped_generations"]))
    return f"; dropped generation {numbers}" if numbers else ""


def _kept(one: Answer) -> str:
    """Others may still be reading them."""
    numbers = ", ".join(map(str, one["retained_generations"]))
    return (
        f"; kept until a verify after {one['retained_until']}: generation {numbers}"
        if numbers
        else ""
    )


def _difference(one: Answer) -> Iterator[str]:
    yield f"{one['kind']}  {one['table']}  {'  '.join(one['key'])}"
    for each in one["attributes"]:
        expected, found = _short(each["expected"]), _short(each["found"])
        yield f"    {each['attribute']}: expected {expected}, found {found}"
    for fact in one["facts"]:
        yield (
            f"    because of {fact['position']}  {fact['at']}  "
            f"{fact['stream']}@{fact['version']}  {fact['name']}  {fact['by'] or '-'}"
        )


def _short(value: object) -> str:
    told = json.dumps(value, ensure_ascii=False)
    return told if len(told) <= 80 else told[:79] + "…"


def restored(answer: Answer) -> Iterator[str]:
    seconds = answer["seconds"]
    mended = counted(answer["log_findings_mended"], "finding")
    yield f"log: {mended} mended, {seconds['log']:,.1f} s"
    yield f"tables: {counted(answer['events'], 'event')} folded, {seconds['rebuild']:,.1f} s"
    yield f"compared with a fresh fold: {seconds['verify']:,.1f} s"
    for one in answer["projections"]:
        yield f"    {_summary(one)}"
    yield f"{answer['total_seconds']:,.1f} s altogether"
