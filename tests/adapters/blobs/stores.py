"""The stores that promise to keep blobs. To put another one under the whole suite, add a line."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import boto3
from moto.server import ThreadedMotoServer

from adapters.blobs.directory import DirectoryBlobs
from adapters.blobs.s3 import S3Blobs, s3_client
from adapters.blobs.store import BlobStore
from adapters.memory.blobs import MemoryBlobs

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_running = ExitStack()
_numbers = count(1)


def s3(folder: Path) -> S3Blobs:
    """An empty bucket on the process's stand-in for S3."""
    bucket = f"bucket-{next(_numbers)}"
    _client().create_bucket(Bucket=bucket)
    return S3Blobs(_client(), bucket, prefix="state-store/")


@cache
def _client() -> "S3Client":
    """One for the whole process: making one takes longer than many calls."""
    session = boto3.Session("local", "not-a-secret", region_name="us-east-1")
    return s3_client(session, endpoint_url=s3_endpoint())


@cache
def s3_endpoint() -> str:
    return _running.enter_context(_server())


def end() -> None:
    _running.close()
    s3_endpoint.cache_clear()
    _client.cache_clear()


@contextmanager
def _server() -> Iterator[str]:
    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        yield f"http://{host}:{port}"
    finally:
        server.stop()


STORES: dict[str, Callable[[Path], BlobStore]] = {
    "memory": lambda folder: MemoryBlobs(),
    "directory": DirectoryBlobs,
    "s3": s3,
}
