"""Where the store is, and how it is reached."""

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc

from statestore_client.transport.headers import must_be_sendable

DEFAULT_ADDRESS = "127.0.0.1:50051"
LARGEST_MESSAGE = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Tls:
    """Files in PEM. The system's roots are trusted if none are named.

    `certificate` and `key` are the caller's own, where the server asks for them; `server_name` is
    the name in the server's certificate, where that is not the host of the address.

    Raises:
        ValueError: A file cannot be read; which.
    """

    roots: Path | str | None = None
    certificate: Path | str | None = None
    key: Path | str | None = None
    server_name: str | None = None

    def __post_init__(self) -> None:
        self._contents()

    def credentials(self) -> grpc.ChannelCredentials:
        """Of the files as they are now."""
        roots, certificate, key = self._contents()
        return grpc.ssl_channel_credentials(
            root_certificates=roots, private_key=key, certificate_chain=certificate
        )

    def _contents(self) -> tuple[bytes | None, bytes | None, bytes | None]:
        return (
            _content("roots", self.roots),
            _content("certificate", self.certificate),
            _content("key", self.key),
        )


@dataclass(frozen=True, slots=True)
class Connection:
    """Without TLS the token can be read on the way: only a loopback address is spoken to so.

    Raises:
        ValueError: The address is elsewhere, and `plaintext` was not asked for; or the token is
            none that can be sent.
    """

    address: str
    token: str | None = field(repr=False)
    tls: Tls | None
    plaintext: bool
    options: Mapping[str, Any]

    def __post_init__(self) -> None:
        if self.tls is None and not self.plaintext and not _is_loopback(self.address):
            raise ValueError(
                f"{self.address} is not on this machine: say tls=Tls(), or plaintext=True if "
                "whoever is on the way may read the token"
            )
        must_be_sendable("the token", self.token or "")

    def channel(self) -> grpc.aio.Channel:
        """Must be made on the loop that is to use it."""
        _must_not_be_forked()
        options = {
            "grpc.max_receive_message_length": LARGEST_MESSAGE,
            "grpc.max_send_message_length": LARGEST_MESSAGE,
            # This client tries again itself, and knows what is safe.
            "grpc.enable_retries": 0,
            # A server that comes back is found while calls are still tried again.
            "grpc.max_reconnect_backoff_ms": 1_000,
            # A connection that died without a word is noticed while something is waited for.
            "grpc.keepalive_time_ms": 30_000,
            "grpc.keepalive_timeout_ms": 10_000,
            **self.options,
        }
        if self.tls is None:
            return grpc.aio.insecure_channel(self.address, list(options.items()))
        if self.tls.server_name is not None:
            options["grpc.ssl_target_name_override"] = self.tls.server_name
        return grpc.aio.secure_channel(self.address, self.tls.credentials(), list(options.items()))


def connection(
    address: str | None,
    token: str | None,
    tls: Tls | None,
    plaintext: bool,
    options: Mapping[str, Any],
) -> Connection:
    """What is not said is looked up in STATESTORE_ADDRESS and STATESTORE_TOKEN.

    White space around the token is not part of it: files end with a line's end.
    """
    return Connection(
        address or os.environ.get("STATESTORE_ADDRESS") or DEFAULT_ADDRESS,
        (token or "").strip() or os.environ.get("STATESTORE_TOKEN", "").strip() or None,
        tls,
        plaintext,
        options,
    )


_processes: set[int] = set()
"""Where channels were made: this process, and those it was forked from."""


def _must_not_be_forked() -> None:
    """gRPC's threads do not survive a fork: a channel in the child would hang, or crash it."""
    _processes.add(os.getpid())
    if len(_processes) > 1:
        raise RuntimeError(
            "a State Store was called before this process was forked, and gRPC does not survive "
            "that: fork before the first call, or start processes with spawn"
        )


def _content(what: str, file: Path | str | None) -> bytes | None:
    try:
        return None if file is None else Path(file).read_bytes()
    except OSError as error:
        raise ValueError(f"the {what} of Tls cannot be read: {error}") from error


def _is_loopback(address: str) -> bool:
    if address.startswith("unix:"):
        return True
    host = address.rpartition("/")[2].rpartition(":")[0].strip("[]")
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
