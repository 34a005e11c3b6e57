"""Who is given what, all of it. `entrypoints.wiring` has the parts."""

from entrypoints.settings import Settings
from entrypoints.wiring.interfaces import Interfaces


class Container(Interfaces):
    """Every part of a store, by name. Nothing is opened before it is asked for."""


def build(settings: Settings) -> Container:
    return Container(settings=settings)
