"""The certificate that gRPC shows, if it has one."""

import ssl
from datetime import datetime
from pathlib import Path

import grpc
from attrs import define


@define
class BadCertificate(Exception):
    reason: str

    def __str__(self) -> str:
        return self.reason


def credentials(certificate: Path, key: Path, *, at: datetime) -> grpc.ServerCredentials:
    """Raises BadCertificate if the files cannot be used at that moment: nobody could call."""
    try:
        shown, kept = certificate.read_bytes(), key.read_bytes()
    except OSError as error:
        raise BadCertificate(f"{error.filename} cannot be read: {error.strerror}") from error
    _check(certificate, key)
    _check_dates(certificate, shown, at)
    return grpc.ssl_server_credentials([(kept, shown)])


def _check(certificate: Path, key: Path) -> None:
    """gRPC itself would only say that it cannot listen."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        # Keys with a password are refused, instead of asking the terminal for it.
        context.load_cert_chain(certificate, key, password=lambda: "")
    except (ssl.SSLError, ValueError) as error:
        reason = getattr(error, "reason", None) or str(error)
        raise BadCertificate(
            f"{certificate} and {key} are no certificate with its key, both in PEM and the key "
            f"without a password: {reason}"
        ) from error


def _check_dates(certificate: Path, shown: bytes, at: datetime) -> None:
    """Of the certificate and all that it rests on."""
    from cryptography import x509

    for one in x509.load_pem_x509_certificates(shown):
        begins, ends = one.not_valid_before_utc, one.not_valid_after_utc
        if not begins <= at <= ends:
            name = one.subject.rfc4514_string()
            raise BadCertificate(f"{certificate}: {name} is only good from {begins} to {ends}")
