"""An archive of every kind."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from application.evidence.archive import EvidenceArchive
from tests.adapters.blobs import stores
from tests.adapters.evidence_archive.archives import ARCHIVES


@pytest.fixture(params=ARCHIVES)
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> EvidenceArchive:
    return ARCHIVES[request.param](tmp_path)


@pytest.fixture(scope="session", autouse=True)
def s3_ends() -> Iterator[None]:
    yield
    stores.end()
