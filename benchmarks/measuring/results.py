"""
Figures as JSON, each with an id that stays the same from checkout to checkout.

    {"format": 1, "effort": "quick", "sections": [
        {"name": "updates", "title": "…", "figures": [
            {"id": "updates.64-callers", "what": "64 callers", "ours": "4,699 updates/s", …,
             "measures": [{"id": "updates.64-callers", "value": 4698.7, "unit": "updates/s",
                           "better": "higher"}, …]}, …]}]}

An id is made of the name of the section and what the figure is called. Figures whose names begin
with … belong to the one above them. Large numbers are no part of an id: they say how much was
measured.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from benchmarks.measuring.figures import Better, Figure, Section

FORMAT = 1
_CONTINUES = "…"


@frozen
class Result:
    """A measure as it was read."""

    value: float
    unit: str
    better: Better


def written(sections: Mapping[str, Section], effort: str) -> str:
    """On one line: whatever else a process prints, this is its last line."""
    told = [
        {
            "name": name,
            "title": section.title,
            "figures": [_figure(id_, figure) for id_, figure in identified(name, section)],
        }
        for name, section in sections.items()
    ]
    return json.dumps({"format": FORMAT, "effort": effort, "sections": told}, ensure_ascii=False)


def read(text: str) -> Mapping[str, Result]:
    """The measures by their ids, from all that a process printed.

    Raises ValueError if its last line does not hold them.
    """
    line = text.rstrip().rpartition("\n")[2]
    told = json.loads(line)
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise ValueError(f"not figures in format {FORMAT}: {line[:200]}")
    return {
        measure["id"]: Result(measure["value"], measure["unit"], Better(measure["better"]))
        for section in told["sections"]
        for figure in section["figures"]
        for measure in figure["measures"]
    }


def identified(name: str, section: Section) -> Iterator[tuple[str, Figure]]:
    """The figures of a section with their ids, no two of which are alike."""
    parent, taken = name, Counter[str]()
    for figure in section.figures:
        continues = figure.what.startswith(_CONTINUES)
        id_ = f"{parent if continues else name}.{figure.id or _slug(figure.what)}"
        taken[id_] += 1
        if taken[id_] > 1:
            id_ = f"{id_}-{taken[id_]}"
        if not continues:
            parent = id_
        yield id_, figure


def _figure(id_: str, figure: Figure) -> Mapping[str, Any]:
    return {
        "id": id_,
        "what": figure.what,
        "ours": figure.ours,
        "other": figure.other,
        "ratio": figure.ratio,
        "target": str(figure.target) if figure.target else None,
        "missed": figure.missed,
        "measures": [
            {
                "id": f"{id_}.{one.part}" if one.part else id_,
                "value": one.value,
                "unit": one.unit,
                "better": one.better,
            }
            for one in figure.measures
        ],
    }


def _slug(what: str) -> str:
    without_scale = re.sub(r"\d{1,3}(,\d{3})+", "", what)
    return re.sub(r"[^a-z0-9]+", "-", without_scale.lower()).strip("-")
