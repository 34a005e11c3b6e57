"""The side of a stream that a test plays: it hears updates and answers them when it wants to."""

import queue
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import grpc
from attrs import define, field

from statestore_client.messages import signals_pb2 as pb
from tests.client.faults.scripted_server import lose
from tests.client.reports import NOON, accepted
from tests.client.waiting import PATIENCE


@define
class Peer:
    """One for all connections of a stream; the latest of them gets the answers."""

    window: int = 1_000
    connections: int = 0
    sizes: list[int] = field(factory=list)
    """How many updates the messages had."""
    heard: "queue.Queue[pb.UpdateSignalStateRequest]" = field(factory=queue.Queue)
    _answers: deque[Any] = field(factory=deque)
    _ended: set[int] = field(factory=set)
    _changed: threading.Condition = field(factory=threading.Condition)

    def __call__(self, requests: Iterator[Any], context: grpc.ServicerContext) -> Iterator[Any]:
        with self._changed:
            self.connections += 1
            number = self.connections
        context.add_callback(lambda: self._end(number))
        threading.Thread(target=self._read, args=(requests, number), daemon=True).start()
        while (answer := self._next(number)) is not None:
            if callable(answer):
                answer(None, context)
            yield answer

    def _read(self, requests: Iterator[Any], number: int) -> None:
        with suppress(grpc.RpcError):
            for request in requests:
                self.sizes.append(len(request.updates))
                for one in request.updates:
                    self.heard.put(one)
        self._end(number)

    def _next(self, number: int) -> Any:
        """The next answer; None when the connection is over, or all that was sent is answered."""
        with self._changed:
            self._changed.wait_for(
                lambda: number in self._ended or (self._answers and number == self.connections),
                PATIENCE,
            )
            mine = self._answers and number == self.connections
            return self._answers.popleft() if mine else None

    def _end(self, number: int) -> None:
        with self._changed:
            self._ended.add(number)
            self._changed.notify_all()

    def put(self, answer: Any) -> None:
        with self._changed:
            self._answers.append(answer)
            self._changed.notify_all()

    def hear(self, count: int) -> list[pb.UpdateSignalStateRequest]:
        return [self.heard.get(timeout=PATIENCE) for _ in range(count)]

    def accept(self, *versions: int) -> None:
        self.answer(*map(accepted, versions))

    def answer(self, *results: pb.UpdateSignalStateResponse) -> None:
        self.put(pb.StreamSignalStateUpdatesResponse(results=results, window=self.window))

    def drop(self) -> None:
        self.put(lose)


def windows(heard: list[pb.UpdateSignalStateRequest]) -> list[int]:
    """Which windows of five minutes after noon they are about."""
    return [(one.state.window_start.seconds - int(NOON.timestamp())) // 300 for one in heard]
