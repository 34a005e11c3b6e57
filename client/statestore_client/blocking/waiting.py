"""Methods that wait, made of methods that are awaited: with the same parameters and docstrings."""

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from statestore_client.blocking.loop_thread import LoopThread

P = ParamSpec("P")
T = TypeVar("T")
Awaited = TypeVar("Awaited")
Made = TypeVar("Made")


class Waiting(Generic[Awaited]):
    """Has the methods of what is awaited, done on the loop of a thread."""

    def __init__(self, awaited: Awaited, thread: LoopThread) -> None:
        self._awaited = awaited
        self._thread = thread


def waits(
    method: Callable[Concatenate[Awaited, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Waiting[Awaited], P], T]:
    @wraps(method)
    def waiting(self: Waiting[Awaited], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._thread.run(method(self._awaited, *args, **kwargs))

    return waiting


def iterates(
    method: Callable[Concatenate[Awaited, P], AsyncIterator[T]],
) -> Callable[Concatenate[Waiting[Awaited], P], Iterator[T]]:
    """Pages are fetched as the iteration comes to them."""

    @wraps(method)
    def iterating(self: Waiting[Awaited], /, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
        return _iterated(self._thread, method(self._awaited, *args, **kwargs))

    return iterating


def makes(
    method: Callable[Concatenate[Awaited, P], Made], waiting: Callable[[Made, LoopThread], T]
) -> Callable[Concatenate[Waiting[Awaited], P], T]:
    """What the method makes is waited for, too."""

    @wraps(method)
    def making(self: Waiting[Awaited], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return waiting(method(self._awaited, *args, **kwargs), self._thread)

    return making


def _iterated(thread: LoopThread, items: AsyncIterator[T]) -> Iterator[T]:
    # An error that ends an iteration may not be StopAsyncIteration, nor may a result be a mark.
    async def following() -> tuple[T, ...]:
        async for item in items:
            return (item,)
        return ()

    while found := thread.run(following()):
        yield found[0]
