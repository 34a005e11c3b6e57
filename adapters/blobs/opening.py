"""From where blobs are kept to a store that can be used: a folder, or `s3://bucket/prefix`."""

from pathlib import Path
from urllib.parse import urlsplit

from adapters.blobs.directory import DirectoryBlobs
from adapters.blobs.store import BlobStore
from application.errors import Unavailable


def open_blobs(place: str, *, endpoint_url: str | None = None) -> BlobStore:
    """No bucket is asked yet. The endpoint is S3's, if it is not the region's usual one.

    Raises:
        Unavailable: The surroundings name no region, or the place is neither a folder nor a bucket.
    """
    parts = urlsplit(place)
    if parts.scheme != "s3":
        if "://" in place:
            raise Unavailable(
                "the blob store", f"{place} is neither a folder nor s3://bucket/prefix"
            )
        return DirectoryBlobs(_folder(place))
    if not parts.netloc:
        raise Unavailable("the blob store", f"{place} names no bucket, as s3://bucket/prefix does")
    prefix = parts.path.strip("/")
    return _bucket(parts.netloc, f"{prefix}/" if prefix else "", endpoint_url)


def _bucket(name: str, prefix: str, endpoint_url: str | None) -> BlobStore:
    from adapters.blobs.s3 import S3Blobs, s3_client
    from adapters.dynamodb.transport.credentials import aws_session
    from adapters.dynamodb.transport.errors import Away

    try:
        client = s3_client(aws_session(), endpoint_url=endpoint_url)
    except Away as error:
        raise Unavailable("the blob store", str(error)) from error
    return S3Blobs(client, name, prefix)


def _folder(place: str) -> Path:
    """It is made when something is put there."""
    folder = Path(place)
    if folder.exists() and not folder.is_dir():
        raise Unavailable("the blob store", f"{place} is a file, not a folder")
    return folder
