"""Where things are kept, as the settings say."""

from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from adapters.blobs.opening import open_blobs
from adapters.blobs.store import BlobStore
from adapters.evidence_archive.archive import BlobEvidenceArchive
from adapters.sqlite.rows.draft_files import DraftFiles
from adapters.system.ulids import Ulids
from entrypoints.settings.loading import Settings

if TYPE_CHECKING:
    from adapters.dynamodb.log.opening import Location
    from adapters.dynamodb.rows.row_tables import RowTables

STORE_FILE = "statestore.db"
EVIDENCE_FILE = "evidence-cache.db"
KEY_FILE = "personal-keys.json"
DRAFTS = "drafts"
EVIDENCE = "evidence"


def store_file(settings: Settings) -> Path:
    """The one file that the embedded engine cannot do without."""
    return settings.data_dir / STORE_FILE


def evidence_file(settings: Settings) -> Path:
    """What the embedded engine has of recent evidence; it can be made again from the archive."""
    return settings.data_dir / EVIDENCE_FILE


def key_file(settings: Settings) -> Path:
    """Where the keys of personal data lie."""
    return settings.key_file or settings.data_dir / KEY_FILE


def draft_files(settings: Settings) -> DraftFiles:
    return DraftFiles(settings.data_dir / DRAFTS)


def log_location(settings: Settings) -> "Location":
    from adapters.dynamodb.log.opening import Location

    return Location(settings.dynamodb_table, settings.dynamodb_endpoint_url)


def row_tables(settings: Settings) -> "RowTables":
    from adapters.dynamodb.rows.row_tables import RowTables
    from adapters.dynamodb.transport.connecting import table_client

    client = partial(table_client, endpoint_url=settings.dynamodb_endpoint_url)
    return RowTables(
        cache(client), settings.table_prefix, settings.create_tables, settings.provisioned_tables
    )


def blob_store(settings: Settings) -> BlobStore | None:
    """None unless one is set: a folder of this process is none that others could read."""
    return None if settings.blob_store is None else open_blobs(settings.blob_store)


def evidence_place(settings: Settings) -> str:
    """The folder or bucket of the evidence archive."""
    return settings.evidence_archive or str(settings.data_dir / EVIDENCE)


def evidence_archive(settings: Settings, ulids: Ulids) -> BlobEvidenceArchive:
    """Every process has a name of its own in it."""
    blobs = open_blobs(evidence_place(settings))
    return BlobEvidenceArchive.over(blobs, process=ulids.text(), ulids=ulids.text)
