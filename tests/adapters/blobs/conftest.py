"""A blob store of every kind."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.blobs.store import BlobStore
from tests.adapters.blobs import stores


@pytest.fixture(params=stores.STORES)
def blobs(request: pytest.FixtureRequest, tmp_path: Path) -> BlobStore:
    return stores.STORES[request.param](tmp_path)


@pytest.fixture(scope="session", autouse=True)
def s3_ends() -> Iterator[None]:
    yield
    stores.end()
