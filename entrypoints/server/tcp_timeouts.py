"""Readers that stay connected and read nothing: the kernel drops them, for nobody else can."""

import socket


def drop_the_silent(listener: socket.socket, *, after: float) -> None:
    """Connections of this listener end if nothing of what was written is taken for so long.

    The server closes such a connection, too, but closing waits until all that was written is taken:
    for as long as the other side likes, a handle and a buffer each. Where the kernel has no such
    option (it is Linux's), that remains so.
    """
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        milliseconds = round(after * 1000)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)
