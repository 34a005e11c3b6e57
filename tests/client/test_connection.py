"""Where the store is, whose token is sent, and who may read it on the way."""

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

import statestore_client
from statestore_client import NO_RETRIES, StateStore, Tls, Unavailable
from statestore_client.messages import signals_pb2
from tests.client.faults.scripted_server import Scripted
from tests.client.reports import ORDERS
from tests.support.certificates import certificate

SIGNAL = signals_pb2.SignalState(version=3)


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1:1", "localhost:1", "[::1]:1", "127.9.9.9:1", "unix:/x"],
)
def test_this_machine_is_spoken_to_in_the_clear(address: str) -> None:
    StateStore(address).close()


@pytest.mark.parametrize(
    "address", ["10.0.0.1:1", "example.com:1", "dns:///127.example.com:1", "0.0.0.0:1"]
)
def test_a_token_is_not_sent_in_the_clear_to_others(address: str) -> None:
    with pytest.raises(ValueError, match="plaintext=True"):
        StateStore(address)
    StateStore(address, plaintext=True).close()
    StateStore(address, tls=Tls()).close()


def test_the_environment_says_what_the_caller_does_not(
    script: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    script.on("GetSignalState", SIGNAL)
    monkeypatch.setenv("STATESTORE_ADDRESS", script.address)
    monkeypatch.setenv("STATESTORE_TOKEN", "from-the-environment")
    with StateStore() as store:
        store.signals.get(ORDERS, "VOLUME")
    with StateStore(token="said") as store:
        store.signals.get(ORDERS, "VOLUME")
    sent = [one.metadata["authorization"] for one in script.heard]
    assert sent == ["Bearer from-the-environment", "Bearer said"]


def test_white_space_around_a_token_is_not_sent(
    script: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A token that is read from a file ends with the end of its line."""
    script.on("GetSignalState", SIGNAL)
    monkeypatch.setenv("STATESTORE_TOKEN", "\tfrom-the-environment\r\n")
    for token in ("said\n", " \n", None):
        with StateStore(script.address, token=token) as store:
            store.signals.get(ORDERS, "VOLUME")
    sent = [one.metadata["authorization"] for one in script.heard]
    assert sent == ["Bearer said", *["Bearer from-the-environment"] * 2]


@pytest.mark.parametrize("token", ["two\nlines", "t\u00f6ken", "\ufefftoken", "nul\0", "del\x7f"])
def test_a_token_that_cannot_be_sent_is_refused(
    token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match="the token cannot be sent") as refused:
        StateStore(token=token)
    assert token not in str(refused.value)
    if "\0" not in token:
        monkeypatch.setenv("STATESTORE_TOKEN", token)
        with pytest.raises(ValueError, match="the token cannot be sent"):
            StateStore()


@pytest.mark.parametrize("key", ["two\nlines", "schl\u00fcssel"])
def test_so_is_a_key(script: Scripted, store: StateStore, key: str) -> None:
    with pytest.raises(ValueError, match="the idempotency key cannot be sent"):
        store.datasets.retire(ORDERS, idempotency_key=key)
    assert not script.heard


@pytest.mark.parametrize("which", ["roots", "certificate", "key"])
def test_a_file_of_tls_that_is_missing_is_named(tmp_path: Path, which: str) -> None:
    files: dict[str, Any] = {which: tmp_path / "nope.pem"}
    with pytest.raises(ValueError, match=rf"the {which} of Tls cannot be read: .*nope\.pem"):
        Tls(**files)


def test_a_file_of_tls_that_went_missing_is_named(tmp_path: Path) -> None:
    roots, _ = certificate(tmp_path)
    tls = Tls(roots=roots)
    roots.unlink()
    with (
        StateStore("127.0.0.1:1", tls=tls) as store,
        pytest.raises(ValueError, match="the roots of Tls"),
    ):
        store.signals.get(ORDERS, "VOLUME")


def test_a_token_is_not_shown(script: Scripted) -> None:
    with StateStore(script.address, token="a-secret-token") as store:
        assert "a-secret-token" not in repr(store._awaited._calls.channel._connection)


@contextmanager
def serving(files: tuple[Path, Path], *, asks: bool = False) -> Iterator[str]:
    """With TLS; if it asks, for the caller's certificate, too."""
    script = Scripted()
    script.on("GetSignalState", SIGNAL)
    shown, key = (one.read_bytes() for one in files)
    credentials = grpc.ssl_server_credentials([(key, shown)], shown if asks else None, asks)
    with ThreadPoolExecutor(2) as pool:
        server = grpc.server(pool, handlers=[script])
        port = server.add_secure_port("127.0.0.1:0", credentials)
        server.start()
        yield f"127.0.0.1:{port}"
        server.stop(None).wait()


def test_a_server_is_known_by_its_certificate(tmp_path: Path) -> None:
    files = certificate(tmp_path)
    with serving(files) as address:
        trusting = Tls(roots=files[0])
        with StateStore(address, tls=trusting) as store:
            assert store.signals.get(ORDERS, "VOLUME").version == 3
        named = Tls(roots=files[0], server_name="store.example")
        with StateStore(address, tls=named) as store:
            assert store.signals.get(ORDERS, "VOLUME").version == 3


@pytest.mark.parametrize("tls", [Tls(), None], ids=["unknown roots", "in the clear"])
def test_a_server_that_is_not_known_is_not_spoken_to(tmp_path: Path, tls: Tls | None) -> None:
    with (
        serving(certificate(tmp_path)) as address,
        StateStore(address, tls=tls, retrying=NO_RETRIES, timeout=5) as store,
        pytest.raises(Unavailable),
    ):
        store.signals.get(ORDERS, "VOLUME")


def test_a_caller_shows_its_own_certificate(tmp_path: Path) -> None:
    files = certificate(tmp_path)
    with serving(files, asks=True) as address:
        own = Tls(roots=files[0], certificate=files[0], key=files[1])
        with StateStore(address, tls=own) as store:
            assert store.signals.get(ORDERS, "VOLUME").version == 3
        with (
            StateStore(address, tls=Tls(roots=files[0]), retrying=NO_RETRIES) as store,
            pytest.raises(Unavailable),
        ):
            store.signals.get(ORDERS, "VOLUME")


def test_the_client_needs_nothing_of_the_server() -> None:
    """Imported where only the client is, in a process of its own."""
    package = str(Path(statestore_client.__file__).parents[1])
    said = (
        "import sys, statestore_client; "
        "sys.exit(bool({'domain', 'application', 'adapters', 'entrypoints', 'attrs'} "
        "& {name.partition('.')[0] for name in sys.modules}))"
    )
    subprocess.run(
        [sys.executable, "-c", said],
        env={**os.environ, "PYTHONPATH": package},
        timeout=60,
        check=True,
    )
