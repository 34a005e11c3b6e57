"""
Signature Version 4 for DynamoDB: every request is a POST to `/` with the same few headers.

The key that signs is good for a day and a region; deriving it is four of the six hashes a
signature costs, so it is kept.
"""

import hmac
from datetime import datetime
from hashlib import sha256

from attrs import define, frozen

CONTENT_TYPE = "application/x-amz-json-1.0"
_SERVICE = "dynamodb"


@frozen
class Credentials:
    access_key: str
    secret_key: str = ""
    token: str | None = None

    def __repr__(self) -> str:
        """Secrets do not get into logs."""
        return f"Credentials({self.access_key!r})"


@define
class Signer:
    host: str
    region: str
    _signs_for: tuple[str, str] | None = None
    _key: bytes = b""

    def headers(
        self, target: str, body: bytes, credentials: Credentials, at: datetime
    ) -> dict[str, str]:
        """All headers of the signed request."""
        stamp = _stamp(at)
        headers = {
            "Content-Type": CONTENT_TYPE,
            "Host": self.host,
            "X-Amz-Date": stamp,
            **({"X-Amz-Security-Token": credentials.token} if credentials.token else {}),
            "X-Amz-Target": target,
        }
        headers["Authorization"] = self._authorization(headers, body, credentials, stamp)
        return headers

    def _authorization(
        self, headers: dict[str, str], body: bytes, credentials: Credentials, stamp: str
    ) -> str:
        names = ";".join(headers).lower()
        lines = "".join(f"{name.lower()}:{value}\n" for name, value in headers.items())
        canonical = f"POST\n/\n\n{lines}\n{names}\n{sha256(body).hexdigest()}"
        scope = f"{stamp[:8]}/{self.region}/{_SERVICE}/aws4_request"
        to_sign = f"AWS4-HMAC-SHA256\n{stamp}\n{scope}\n{sha256(canonical.encode()).hexdigest()}"
        signature = _hash(self._key_of(credentials.secret_key, stamp[:8]), to_sign).hex()
        return (
            f"AWS4-HMAC-SHA256 Credential={credentials.access_key}/{scope}, "
            f"SignedHeaders={names}, Signature={signature}"
        )

    def _key_of(self, secret: str, day: str) -> bytes:
        if self._signs_for != (secret, day):
            key = f"AWS4{secret}".encode()
            for part in (day, self.region, _SERVICE, "aws4_request"):
                key = _hash(key, part)
            self._key, self._signs_for = key, (secret, day)
        return self._key


def _stamp(at: datetime) -> str:
    # A tenth of the time of strftime.
    iso = at.isoformat(timespec="seconds")
    return f"{iso[:4]}{iso[5:7]}{iso[8:13]}{iso[14:16]}{iso[17:19]}Z"


def _hash(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")
