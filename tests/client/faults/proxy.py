"""Stands between client and server, and loses answers and connections when a test wants it to."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from attrs import define, field


@define
class Proxy:
    """`losing` swallows what the server says from then on; `cut` breaks every connection.

    While it is `refusing`, connections are closed as soon as they are opened.
    """

    target: tuple[str, int]
    listening: socket.socket
    losing: bool = False
    refusing: bool = False
    heard_while_losing: int = 0
    """Bytes that were passed on to the server meanwhile."""
    _open: list[socket.socket] = field(factory=list)
    _lock: threading.Lock = field(factory=threading.Lock)

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.listening.getsockname()[1]}"

    def cut(self) -> None:
        with self._lock:
            for one in self._open:
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
                one.close()
            self._open.clear()

    def accept(self) -> None:
        with suppress(OSError):
            while True:
                ours, _ = self.listening.accept()
                if self.refusing:
                    ours.close()
                    continue
                theirs = socket.create_connection(self.target)
                with self._lock:
                    self._open += [ours, theirs]
                for source, sink, answers in ((ours, theirs, False), (theirs, ours, True)):
                    threading.Thread(
                        target=self._pump, args=(source, sink, answers), daemon=True
                    ).start()

    def _pump(self, source: socket.socket, sink: socket.socket, answers: bool) -> None:
        with suppress(OSError):
            while content := source.recv(65536):
                if answers and self.losing:
                    continue
                sink.sendall(content)
                self.heard_while_losing += len(content) if self.losing else 0
        for one in (source, sink):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)


@contextmanager
def before(port: int) -> Iterator[Proxy]:
    """A proxy of what listens there on loopback."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        proxy = Proxy(("127.0.0.1", port), listening)
        accepting = threading.Thread(target=proxy.accept, daemon=True)
        accepting.start()
        try:
            yield proxy
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            accepting.join()
            proxy.cut()
