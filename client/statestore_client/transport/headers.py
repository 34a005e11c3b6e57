"""What may be sent beside a call: in gRPC's metadata, as in headers, text is printable ASCII."""

import re

_OTHER = re.compile(r"[^ -~]")


def must_be_sendable(what: str, value: str) -> None:
    """Raises ValueError, which does not show the value: it may be a secret."""
    if found := _OTHER.search(value):
        raise ValueError(
            f"{what} cannot be sent: character {found.start() + 1} of {len(value)} is not "
            "printable ASCII"
        )
