"""What the container provides, as a FastAPI dependency."""

from typing import Any

from dependency_injector.wiring import Provide
from fastapi import Depends


class _AwaitedProvide(Provide):  # type: ignore[misc,valid-type]  # typed as a value, is a class
    """A marker that FastAPI awaits: the plain one would be called in a thread, on each request."""

    async def __call__(self) -> Any:
        return self


def provided(name: str) -> Any:
    """The container's provider of that name; the function that asks must be `@inject`ed."""
    return Depends(_AwaitedProvide(name))
