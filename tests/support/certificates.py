"""Certificates that are made for a test."""

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


def certificate(folder: Path) -> tuple[Path, Path]:
    """One that 127.0.0.1 and `store.example` may show for a day, signed by itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "statestore")])
    now = datetime.now(UTC)
    shown = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName(
                [x509.IPAddress(ip_address("127.0.0.1")), x509.DNSName("store.example")]
            ),
            critical=False,
        )
        .sign(key, hashes.SHA256())
    )
    files = folder / "shown.pem", folder / "kept.pem"
    files[0].write_bytes(shown.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(pem(key))
    return files


def pem(key: ec.EllipticCurvePrivateKey, password: bytes | None = None) -> bytes:
    locked = serialization.BestAvailableEncryption(password) if password else None
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        locked or serialization.NoEncryption(),
    )
