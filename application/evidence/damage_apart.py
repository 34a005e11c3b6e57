"""Asking for many of which some are damaged: one such spoils the answer for all asked with it."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import TypeVar

from application.errors import Damaged, NotReadable
from domain.ids import EvidenceId

T = TypeVar("T")

Ask = Callable[[Collection[EvidenceId]], Awaitable[Mapping[EvidenceId, T]]]


async def damage_apart(
    ask: Ask[T], ids: Sequence[EvidenceId]
) -> tuple[Mapping[EvidenceId, T], Mapping[EvidenceId, Damaged | NotReadable]]:
    """What can be read, and why the rest cannot: halves are asked for by themselves."""
    try:
        return await ask(ids), {}
    except (Damaged, NotReadable) as error:
        if len(ids) <= 1:
            return {}, dict.fromkeys(ids, error)
    half = len(ids) // 2
    first, spoilt = await damage_apart(ask, ids[:half])
    second, more = await damage_apart(ask, ids[half:])
    return {**first, **second}, {**spoilt, **more}
