"""
Blobs as objects of an S3 bucket, under a prefix (S2-54).

boto3 is called in threads. It sends a checksum with every object and compares the one that S3
returns with it, so that damage on the way or in store is noticed.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

import boto3
from attrs import frozen
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, FlexibleChecksumError

from adapters.blobs.store import checked
from application.errors import Damaged, Unavailable

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

T = TypeVar("T")

_CONFIG = Config(
    connect_timeout=5, read_timeout=30, retries={"mode": "standard", "total_max_attempts": 5}
)


def s3_client(session: boto3.Session, *, endpoint_url: str | None = None) -> "S3Client":
    """A client with bounded patience, safe to share between threads."""
    made: S3Client = session.client("s3", endpoint_url=endpoint_url, config=_CONFIG)
    return made


@frozen
class S3Blobs:
    """The bucket exists already. The prefix, if any, ends with a slash."""

    client: "S3Client"
    bucket: str
    prefix: str = ""

    async def put(self, name: str, data: bytes) -> None:
        key = self._key(name)
        await self._done(
            lambda: self.client.put_object(
                Bucket=self.bucket, Key=key, Body=data, ChecksumAlgorithm="SHA256"
            )
        )

    async def get(self, name: str) -> bytes | None:
        key = self._key(name)
        return await self._done(lambda: self._read(key))

    async def part(self, name: str, start: int, length: int) -> bytes | None:
        key = self._key(name)
        return await self._done(lambda: self._read_part(key, start, length)) if length else b""

    async def delete(self, name: str) -> None:
        key = self._key(name)
        await self._done(lambda: self.client.delete_object(Bucket=self.bucket, Key=key))

    async def names(self, prefix: str = "", *, before: datetime | None = None) -> Sequence[str]:
        return await self._done(lambda: sorted(self._names(prefix, before)))

    def _key(self, name: str) -> str:
        return f"{self.prefix}{checked(name)}"

    def _read(self, key: str) -> bytes | None:
        try:
            found = self.client.get_object(Bucket=self.bucket, Key=key, ChecksumMode="ENABLED")
        except self.client.exceptions.NoSuchKey:
            return None
        return found["Body"].read()

    def _read_part(self, key: str, start: int, length: int) -> bytes | None:
        wanted = f"bytes={start}-{start + length - 1}"
        try:
            found = self.client.get_object(Bucket=self.bucket, Key=key, Range=wanted)
        except self.client.exceptions.NoSuchKey:
            return None
        except ClientError as error:
            if error.response["Error"]["Code"] == "InvalidRange":
                return b""  # It ends before.
            raise
        return found["Body"].read()

    def _names(self, prefix: str, before: datetime | None) -> Iterator[str]:
        pages = self.client.get_paginator("list_objects_v2")
        for page in pages.paginate(Bucket=self.bucket, Prefix=f"{self.prefix}{prefix}"):
            for found in page.get("Contents", ()):
                if before is None or found["LastModified"] < before:
                    yield found["Key"].removeprefix(self.prefix)

    async def _done(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.to_thread(work)
        except FlexibleChecksumError as error:
            raise Damaged(f"an object of the bucket {self.bucket}", str(error)) from error
        except (BotoCoreError, ClientError) as error:
            raise Unavailable(f"the bucket {self.bucket}", str(error)) from error
