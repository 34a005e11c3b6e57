"""What an application needs to be told to stand on DynamoDB Local, with tables of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.adapters.dynamodb import aws, local
from tests.adapters.dynamodb.row_engines import LOG, empty_tables


@contextmanager
def on_dynamodb() -> Iterator[dict[str, str]]:
    with aws.surroundings(), TemporaryDirectory() as folder, empty_tables() as prefix:
        yield {
            "STATESTORE_ENGINE": "dynamodb",
            "STATESTORE_DATA_DIR": str(Path(folder) / "var"),
            "STATESTORE_DYNAMODB_TABLE": prefix + LOG,
            "STATESTORE_DYNAMODB_ENDPOINT_URL": local.endpoint(),
            "STATESTORE_TABLE_PREFIX": prefix,
        }
