"""Where blobs are kept is said by a folder or a bucket, and by nothing else."""

from pathlib import Path

import pytest

from adapters.blobs.directory import DirectoryBlobs
from adapters.blobs.opening import open_blobs
from application.errors import Unavailable


@pytest.mark.parametrize("folder", ["blobs", "/var/blobs", "../a:b"])
def test_a_folder_is_one(folder: str) -> None:
    assert open_blobs(folder) == DirectoryBlobs(Path(folder))


@pytest.mark.parametrize(
    "place", ["gs://bucket", "https://bucket.s3.amazonaws.com", "file:///var/blobs", "://bucket"]
)
def test_no_other_address_is_taken_for_a_folder(place: str) -> None:
    with pytest.raises(Unavailable, match=f"{place} is neither a folder nor s3://bucket/prefix"):
        open_blobs(place)
