"""How the keeping of evidence is, as far as this process knows: for `/health` and the log."""

from collections.abc import Callable, Sequence

from attrs import define, field

from application.evidence.archive import BatchName

EMPTY = "the archive is empty"


@define
class EvidenceStanding:
    on_change: Callable[[str | None], None] = lambda trouble: None
    """Told when something begins to fail, with all that fails, and when nothing does any more."""
    unsorted: int | None = field(default=None, init=False)
    """How many batches were not sorted when it was looked last."""
    _troubles: dict[str, str] = field(factory=dict, init=False)

    @property
    def trouble(self) -> str | None:
        told = [f"{part}: {why}" for part, why in sorted(self._troubles.items())]
        return "; ".join(told) or None

    def kept(self, error: Exception | None) -> None:
        """A batch was kept, or was not."""
        self._note("evidence cannot be kept", error)

    def looked(self, batches: Sequence[BatchName]) -> None:
        self.unsorted = len(batches)
        self._note("the archive cannot be read", None)

    def could_not_look(self, error: Exception) -> None:
        self._note("the archive cannot be read", error)

    def put(self, error: Exception | None) -> None:
        """All that the cache lacks was put there, or could not be."""
        self._note("the cache cannot be filled", error)

    def spoilt(self, error: Exception | None) -> None:
        """The cache as a whole was looked at."""
        self._note("the cache is damaged", error)

    def lost(self, is_lost: bool) -> None:
        """The archive has nothing, although something is at hand."""
        reason = "it may lie elsewhere, for evidence is at hand" if is_lost else None
        self._note(EMPTY, reason)

    @property
    def is_lost(self) -> bool:
        return EMPTY in self._troubles

    def met(self, damage: Sequence[str]) -> None:
        """What readers found damaged in the archive, all that is known of it."""
        self._note("what was asked for is damaged", _counted(damage))

    def cache_unread(self, error: Exception | None) -> None:
        """The cache did not answer a reader, and the archive did; or it answers again."""
        self._note("the cache cannot be read", error)

    def _note(self, part: str, error: Exception | str | None) -> None:
        before = {*self._troubles}
        if error is None:
            self._troubles.pop(part, None)
        else:
            self._troubles[part] = str(error) or type(error).__name__
        if before != self._troubles.keys():
            self.on_change(self.trouble)


def _counted(faults: Sequence[str]) -> str | None:
    more = f", and {len(faults) - 1} more" if len(faults) > 1 else ""
    return f"{faults[0]}{more}" if faults else None
