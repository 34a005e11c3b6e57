"""Where something stands in the log, as callers see it: a token they hand back and never read."""

import base64
import binascii
from functools import lru_cache

from attrs import frozen


@frozen
class Position:
    """Epoch and lane are always 1 and 0 for now; having them in the token lets them change."""

    number: int
    epoch: int = 1
    lane: int = 0

    def token(self) -> str:
        return _token(self.epoch, self.lane, self.number)

    @classmethod
    def read(cls, token: str) -> "Position":
        """Raises ValueError for what `token()` did not write."""
        try:
            padded = token + "=" * (-len(token) % 4)
            written = base64.b64decode(padded, altchars=b"-_", validate=True).decode("ascii")
            epoch, lane, number = map(int, written.split("."))
        except (binascii.Error, UnicodeError, ValueError) as error:
            raise ValueError(f"not a position token: {token!r}") from error
        position = cls(number, epoch, lane)
        if position.token() != token or min(epoch, lane, number) < 0:
            raise ValueError(f"not a position token: {token!r}")
        return position


@lru_cache(maxsize=1024)
def _token(epoch: int, lane: int, number: int) -> str:
    """Remembered, because all who read between two writes are told the same position."""
    written = f"{epoch}.{lane}.{number}".encode()
    return base64.urlsafe_b64encode(written).decode().rstrip("=")
