"""What an application needs to be told to stand on DynamoDB Local, with tables of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.adapters.dynamodb.rows.engines import LOG, empty_tables
from tests.adapters.dynamodb.support import dynamodb_local, environment


@contextmanager
def on_dynamodb() -> Iterator[dict[str, str]]:
    with environment.surroundings(), TemporaryDirectory() as folder, empty_tables() as prefix:
        yield {
            "STATESTORE_ENGINE": "dynamodb",
            "STATESTORE_DATA_DIR": str(Path(folder) / "var"),
            "STATESTORE_DYNAMODB_TABLE": prefix + LOG,
            "STATESTORE_DYNAMODB_ENDPOINT_URL": dynamodb_local.endpoint(),
            "STATESTORE_TABLE_PREFIX": prefix,
        }
