"""Where HTTP and gRPC are served, to whom, and what the server does itself."""

import ipaddress
from pathlib import Path

from pydantic import Field, SecretStr, ValidationInfo, field_validator

from adapters.tokens.admin_token import token_problem
from entrypoints.settings.topic import Topic


class Serving(Topic):
    """Addresses, limits, certificates, keys and the token."""

    http_host: str = Field(
        "127.0.0.1", min_length=1, description="The address that HTTP and gRPC listen on."
    )
    http_port: int = Field(
        8080, ge=0, le=65535, description="The port of HTTP; 0 picks a free one."
    )
    grpc_port: int = Field(
        50051,
        ge=0,
        le=65535,
        description="The port of gRPC, on the same address; 0 picks a free one.",
    )
    grpc_tls_certificate: Path | None = Field(
        None,
        description="The certificate that gRPC shows, with all it rests on: a PEM file. Without "
        "one, gRPC is not encrypted.",
    )
    grpc_tls_key: Path | None = Field(
        None,
        validate_default=True,
        description="The key of the certificate: a PEM file without a password.",
    )
    grpc_max_message_bytes: int = Field(
        4 * 1024 * 1024,
        ge=64 * 1024,
        le=64 * 1024 * 1024,
        description="The largest message that gRPC takes.",
    )
    grpc_max_concurrent_calls: int = Field(
        1_000,
        ge=1,
        le=100_000,
        description="How many calls over gRPC may be on their way at once, streams included; more "
        "are told to come later.",
    )
    admin_token: SecretStr | None = Field(
        None,
        description="The bearer token. If there is none, one is made at the first start and kept "
        "in the data folder; then only loopback addresses are served. With `memory` it is kept "
        "nowhere: set one for commands to find it.",
    )
    key_file: Path | None = Field(
        None,
        description="The keys of personal data; in the data folder if nothing is said. Processes "
        "that share a log must share this file, too.",
    )
    run_projections: bool = Field(
        True,
        description="Whether `serve` folds the read models itself; `off` leaves that to other "
        "processes that share them, such as `statestore project`.",
    )
    drain_seconds: float = Field(
        10, ge=0, le=600, description="How long running requests may take to end at a stop."
    )

    @field_validator("admin_token")
    @classmethod
    def _must_be_usable(cls, token: SecretStr | None) -> SecretStr | None:
        problem = token and token_problem(token.get_secret_value())
        if problem:
            raise ValueError(problem)
        return token

    @field_validator("grpc_tls_key")
    @classmethod
    def _must_come_with_a_certificate(cls, key: Path | None, others: ValidationInfo) -> Path | None:
        if (key is None) != (others.data.get("grpc_tls_certificate") is None):
            raise ValueError("must be set together with STATESTORE_GRPC_TLS_CERTIFICATE, or not")
        return key

    @property
    def is_loopback(self) -> bool:
        if self.http_host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.http_host).is_loopback
        except ValueError:
            return False
