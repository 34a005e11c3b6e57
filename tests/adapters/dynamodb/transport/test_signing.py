"""Signatures, compared with botocore's own."""

from datetime import UTC, datetime, timedelta
from unittest.mock import patch

import botocore.auth
import botocore.credentials
from botocore.awsrequest import AWSRequest
from hypothesis import given
from hypothesis import strategies as st

from adapters.dynamodb.transport.signing import Credentials, Signer

WORD = st.text(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/=", min_size=1, max_size=40
)
MOMENT = st.integers(1_600_000_000, 4_000_000_000).map(lambda at: datetime.fromtimestamp(at, UTC))
CREDENTIALS = st.builds(Credentials, WORD, WORD, st.none() | WORD)


def botocore_authorization(
    headers: dict[str, str], body: bytes, credentials: Credentials, region: str, at: datetime
) -> str:
    """What botocore would have sent for the same request at the same time."""
    unsigned = {n: v for n, v in headers.items() if n not in ("Authorization", "Host")}
    request = AWSRequest("POST", f"https://{headers['Host']}/", unsigned, body)
    held = botocore.credentials.Credentials(
        credentials.access_key, credentials.secret_key, credentials.token
    )
    with patch.object(botocore.auth, "get_current_datetime", lambda: at.replace(tzinfo=None)):
        botocore.auth.SigV4Auth(held, "dynamodb", region).add_auth(request)
    return str(request.headers["Authorization"])


@given(CREDENTIALS, MOMENT, st.binary(max_size=200), st.sampled_from(["eu-central-1", "x-1"]))
def test_a_signature_is_botocores(
    credentials: Credentials, at: datetime, body: bytes, region: str
) -> None:
    signer = Signer("dynamodb.example:8443", region)
    headers = signer.headers("DynamoDB_20120810.GetItem", body, credentials, at)
    assert headers["Authorization"] == botocore_authorization(
        headers, body, credentials, region, at
    )


@given(st.lists(st.tuples(CREDENTIALS, st.integers(0, 72)), min_size=2, max_size=6))
def test_the_kept_key_never_signs_for_another_day_or_secret(
    uses: list[tuple[Credentials, int]],
) -> None:
    start = datetime(2026, 11, 16, tzinfo=UTC)
    kept = Signer("dynamodb.example", "eu-central-1")
    for credentials, hours in uses:
        at = start + timedelta(hours=hours)
        fresh = Signer("dynamodb.example", "eu-central-1")
        assert kept.headers("T", b"{}", credentials, at) == fresh.headers(
            "T", b"{}", credentials, at
        )


def test_a_secret_is_not_shown() -> None:
    assert "hidden" not in repr(Credentials("AKIA", "hidden", "hidden"))
