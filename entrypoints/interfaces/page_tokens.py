"""Page tokens: where the next page begins, signed, and good only for the list they came from."""

import base64
import binascii
import hashlib
import hmac
from collections.abc import Sequence

import orjson
from attrs import frozen

from application.reads.paging import Cursor, PageRequest
from domain.errors import Violation
from entrypoints.interfaces.sent import Sent, collected

_SIGNATURE = 16


@frozen
class Pages:
    """The pages of one list: `of` says which list it is, with all its filters."""

    secret: bytes
    of: tuple[object, ...]

    def parse(self, size: int, token: str | None) -> Sent[PageRequest]:
        if token is None:
            return Sent(PageRequest(size))
        cursor = self._cursor(token)
        if cursor is not None:
            return Sent(PageRequest(size, cursor))
        said = "must be the next_page_token of this list, with the same filters"
        return Sent(PageRequest(size), [Violation("page_token", "MALFORMED", said)])

    def request(self, size: int, token: str | None, found: list[Violation]) -> PageRequest:
        """As `parse`, for readers that still collect violations."""
        return collected(self.parse(size, token), found)

    def token(self, cursor: Cursor | None) -> str | None:
        if cursor is None:
            return None
        written = orjson.dumps(cursor)
        return base64.urlsafe_b64encode(self._sign(written) + written).decode().rstrip("=")

    def _cursor(self, token: str) -> Cursor | None:
        try:
            padded = token.encode("ascii") + b"=" * (-len(token) % 4)
            signed = base64.b64decode(padded, altchars=b"-_", validate=True)
        except (UnicodeEncodeError, binascii.Error):
            return None
        signature, written = signed[:_SIGNATURE], signed[_SIGNATURE:]
        if not hmac.compare_digest(signature, self._sign(written)):
            return None
        parts: Sequence[str] = orjson.loads(written)
        return tuple(parts)

    def _sign(self, written: bytes) -> bytes:
        message = orjson.dumps(self.of) + b"\0" + written
        return hmac.digest(self.secret, message, hashlib.sha256)[:_SIGNATURE]
