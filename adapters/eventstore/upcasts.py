"""
Old shapes, brought up to date when they are read.

An upcast takes the stored form of one schema version to the next one. The tests hold frozen
records of every fact, so that a change without an upcast fails there.
"""

from collections.abc import Callable, Mapping
from typing import Any

Stored = dict[str, Any]
Upcast = Callable[[Stored], Stored]
Upcasts = Mapping[tuple[str, int], Upcast]
"""By name and the schema version that the upcast starts from."""


def _as_it_is(stored: Stored) -> Stored:
    return stored


def _with_the_state_replaced(stored: Stored) -> Stored:
    """Taken from the windows' order: right unless a window was evaluated again meanwhile."""
    moved = stored.get("moved", {})
    began_here = moved.get("changed_at") == stored["evaluation"]["window_end"]
    if stored["current"] and began_here and "previous_state" in moved:
        return {**stored, "replaced": moved["previous_state"]}
    return stored


UPCASTS: Upcasts = {
    # From the second on it tells which state was shown before.
    ("signal.evaluated", 1): _with_the_state_replaced,
    # From the second on it is sealed, as the catalogue says; the shape is the same.
    ("incident.notifications_linked", 1): _as_it_is,
}


def brought_up(stored: Stored, name: str, *, schema: int, to: int, upcasts: Upcasts) -> Stored:
    """Apply every upcast from the stored schema version on.

    Raises:
        KeyError: A step is missing.
        ValueError: The record is newer than this program.
    """
    if schema > to:
        raise ValueError(f"written by a later release: this one knows schema {to}")
    for version in range(schema, to):
        stored = upcasts[name, version](stored)
    return stored
