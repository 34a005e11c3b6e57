"""
How a receiver knows that an event is ours and not an old one.

    Statestore-Timestamp: 1768478400
    Statestore-Signature: v1=<hex HMAC-SHA256 of "1768478400." and the body, with the secret>
"""

import hashlib
import hmac

TIMESTAMP = "Statestore-Timestamp"
SIGNATURE = "Statestore-Signature"
EVENT_ID = "Statestore-Event-Id"
EVENT_TYPE = "Statestore-Event-Type"


def signature(secret: str, timestamp: str, body: bytes) -> str:
    signed = timestamp.encode() + b"." + body
    return "v1=" + hmac.digest(secret.encode(), signed, hashlib.sha256).hex()
