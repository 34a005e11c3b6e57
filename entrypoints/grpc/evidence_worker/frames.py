"""How the server and the process that sifts for it speak: objects, each behind its length.

Only these two have the ends of the pipes, so that what comes can be trusted.
"""

import asyncio
import pickle
import struct
from typing import Any, BinaryIO

_LENGTH = struct.Struct("!I")


def framed(content: object) -> bytes:
    body = pickle.dumps(content, protocol=pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(body)) + body


def read(file: BinaryIO) -> Any:
    """Raises EOFError once the other has closed its end."""
    return pickle.loads(_exactly(file, _LENGTH.unpack(_exactly(file, _LENGTH.size))[0]))


async def received(reader: asyncio.StreamReader) -> Any:
    """Raises EOFError once the other has closed its end."""
    (length,) = _LENGTH.unpack(await reader.readexactly(_LENGTH.size))
    return pickle.loads(await reader.readexactly(length))


def _exactly(file: BinaryIO, size: int) -> bytes:
    content = file.read(size)
    if len(content) < size:
        raise EOFError
    return content
