"""What a change of a dataset's configuration means where it says too much."""

from collections.abc import Set

from application.recorded import ERASED


def really_named(named: Set[str], owner_email: str | None) -> Set[str]:
    """The settings that change. What was read of an erased person may be sent back, and says
    nothing."""
    return named - {"owner_email"} if owner_email == ERASED else named
