"""What a whole run of the tests shares."""

import signal
import sys
from collections.abc import Iterator

import pytest
import structlog
from hypothesis import settings

from entrypoints.server.garbage_collection import load_without_looking
from tests.adapters.dynamodb.support import dynamodb_local

# How long an example takes says how busy the machine is, not whether the code is right.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


def pytest_configure() -> None:
    """All tests are loaded, and stay: looking for garbage took an eighth of some tests' time."""
    load_without_looking()
    # Each request writes a line, which is shown if its test fails: plainly, that takes less time.
    structlog.configure(
        processors=[structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    )
    # httpx would look for it in every folder of the path, at every request.
    sys.modules.setdefault("sniffio", None)  # type: ignore[arg-type]  # how Python is told so
    # A shell that runs this in the background lets it ignore Ctrl-C, and so would all it starts.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def dynamodb_local_ends() -> Iterator[None]:
    """Whoever started the shared server, it stops with the run."""
    yield
    dynamodb_local.end()
