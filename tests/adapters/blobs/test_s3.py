"""Blobs as objects: what S3 says is translated."""

import asyncio
from pathlib import Path

import boto3
import pytest
from attrs import evolve
from botocore.config import Config
from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.s3.models import s3_backends

from adapters.blobs.s3 import S3Blobs
from application.errors import Damaged, Unavailable
from tests.adapters.blobs.stores import s3
from tests.adapters.dynamodb.support.dynamodb_local import free_port


def test_stores_of_one_bucket_are_apart_by_their_prefix(tmp_path: Path) -> None:
    one = s3(tmp_path)
    other = evolve(one, prefix="other/")
    asyncio.run(one.put("a", b"1"))
    asyncio.run(other.put("b", b"2"))
    assert asyncio.run(one.names()) == ["a"]
    assert asyncio.run(other.get("a")) is None
    assert one.client.list_objects_v2(Bucket=one.bucket)["KeyCount"] == 2


def test_all_pages_of_names_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOTO_S3_DEFAULT_MAX_KEYS", "4")
    blobs = s3(tmp_path)
    for n in range(10):
        asyncio.run(blobs.put(f"{n}", b""))
    assert blobs.client.list_objects_v2(Bucket=blobs.bucket)["KeyCount"] == 4
    assert asyncio.run(blobs.names()) == [f"{n}" for n in range(10)]


def test_a_damaged_object_is_not_returned(tmp_path: Path) -> None:
    blobs = s3(tmp_path)
    asyncio.run(blobs.put("a", b"some data"))
    stored = s3_backends[DEFAULT_ACCOUNT_ID]["aws"].get_object(blobs.bucket, "state-store/a")
    assert stored is not None
    setattr(stored, "value", b"some dada")  # noqa: B010 - mypy takes it for read-only
    with pytest.raises(Damaged, match="checksum"):
        asyncio.run(blobs.get("a"))


def test_a_bucket_that_is_not_there_is_named(tmp_path: Path) -> None:
    blobs = evolve(s3(tmp_path), bucket="no-such-bucket")
    for work in (blobs.put("a", b""), blobs.get("a"), blobs.delete("a"), blobs.names()):
        with pytest.raises(Unavailable, match="the bucket no-such-bucket"):
            asyncio.run(work)


def test_s3_that_is_not_there_is_told() -> None:
    client = boto3.Session("local", "not-a-secret", region_name="us-east-1").client(
        "s3",
        endpoint_url=f"http://127.0.0.1:{free_port()}",
        config=Config(retries={"total_max_attempts": 1}),
    )
    with pytest.raises(Unavailable, match="the bucket b"):
        asyncio.run(S3Blobs(client, "b").get("a"))
