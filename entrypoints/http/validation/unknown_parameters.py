"""Query parameters that no one knows: a typing error must not look like an answer."""

from collections.abc import Iterator
from difflib import get_close_matches

from fastapi import Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from application.violations import refuse_any
from domain.errors import Violation


def refuse_unknown(request: Request) -> None:
    """Raises Invalid with every parameter that the path does not know."""
    known = _known(request.scope["route"])
    refuse_any(_unknown(name, known) for name in request.query_params if name not in known)


def _known(route: APIRoute) -> frozenset[str]:
    return frozenset(_names(route.dependant))


def _names(dependant: Dependant) -> Iterator[str]:
    yield from (one.alias for one in dependant.query_params)
    for inner in dependant.dependencies:
        yield from _names(inner)


def _unknown(name: str, known: frozenset[str]) -> Violation:
    nearest = get_close_matches(name, known, n=1)
    said = f"is not known; did you mean {nearest[0]}?" if nearest else "is not known"
    return Violation(name[:200], "UNKNOWN_PARAMETER", said)
