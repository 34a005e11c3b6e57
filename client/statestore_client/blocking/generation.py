"""Methods that wait, made of methods that are awaited: with the same parameters and docstrings."""

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from functools import wraps
from inspect import signature
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, get_args

from statestore_client.blocking.loop_thread import LoopThread

P = ParamSpec("P")
T = TypeVar("T")
Awaited_co = TypeVar("Awaited_co", covariant=True)
Made = TypeVar("Made")


class Waiting(Generic[Awaited_co]):
    """Has the methods of what is awaited, done on the loop of a thread."""

    def __init__(self, awaited: Awaited_co, thread: LoopThread) -> None:
        self._awaited = awaited
        self._thread = thread


def waits(
    method: Callable[Concatenate[Awaited_co, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Waiting[Awaited_co], P], T]:
    @wraps(method)
    def waiting(self: Waiting[Awaited_co], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._thread.run(method(self._awaited, *args, **kwargs))

    return waiting


def iterates(
    method: Callable[Concatenate[Awaited_co, P], AsyncIterator[T]],
) -> Callable[Concatenate[Waiting[Awaited_co], P], Iterator[T]]:
    """Pages are fetched as the iteration comes to them."""

    @wraps(method)
    def iterating(self: Waiting[Awaited_co], /, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
        return _iterated(self._thread, method(self._awaited, *args, **kwargs))

    (item,) = get_args(signature(method).return_annotation)
    _show(iterating, method, Iterator[item])  # type: ignore[valid-type]  # known when it runs
    return iterating


def makes(
    method: Callable[Concatenate[Awaited_co, P], Made], waiting: Callable[[Made, LoopThread], T]
) -> Callable[Concatenate[Waiting[Awaited_co], P], T]:
    """What the method makes is waited for, too."""

    @wraps(method)
    def making(self: Waiting[Awaited_co], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return waiting(method(self._awaited, *args, **kwargs), self._thread)

    _show(making, method, waiting)
    return making


def _show(function: Any, method: Callable[..., Any], returned: Any) -> None:
    """To who asks for help: the parameters of the method, and what the function itself returns."""
    function.__signature__ = signature(method).replace(return_annotation=returned)
    function.__annotations__ = {**method.__annotations__, "return": returned}


def _iterated(thread: LoopThread, items: AsyncIterator[T]) -> Iterator[T]:
    # An error that ends an iteration may not be StopAsyncIteration, nor may a result be a mark.
    async def following() -> tuple[T, ...]:
        async for item in items:
            return (item,)
        return ()

    while found := thread.run(following()):
        yield found[0]
