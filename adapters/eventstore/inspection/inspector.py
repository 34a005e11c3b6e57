"""Looking for damage: what can be wrong with a log, and how it is told."""

from collections.abc import AsyncIterator
from enum import StrEnum
from typing import Protocol

from attrs import frozen

from adapters.eventstore.inspection.progress import Progress


class Kind(StrEnum):
    """What can be wrong. Spans, batches and blocks are DynamoDB's, the file is SQLite's."""

    GAP = "gap"
    OVERLAP = "overlap"
    INCOMPLETE_BATCH = "incomplete-batch"
    DAMAGED_BATCH = "damaged-batch"
    MISSING_BLOB = "missing-blob"
    ORPHANED_BLOB = "orphaned-blob"
    MISSING_BLOCK = "missing-block"
    DAMAGED_BLOCK = "damaged-block"
    TORN_APPEND = "torn-append"
    MISSING_SPAN = "missing-span"
    WRONG_SPAN = "wrong-span"
    DAMAGED_SPAN = "damaged-span"
    STRAY_SPAN = "stray-span"
    TIME_BACKWARDS = "time-backwards"
    VERSION_GAP = "version-gap"
    DUPLICATE_ID = "duplicate-id"
    UNREADABLE = "unreadable"
    DAMAGED_FILE = "damaged-file"


class Remedy(Protocol):
    """What mends a finding, in the words of its engine; `str` says it to people."""

    def __str__(self) -> str: ...


@frozen
class Finding:
    """Something that is wrong, and what would mend it, if anything does."""

    kind: Kind
    where: str
    what: str
    remedy: Remedy | None = None

    def __str__(self) -> str:
        return f"{self.kind}  {self.where}  {self.what}"


class Inspector(Protocol):
    async def end(self) -> int:
        """The last position that is found, whatever is damaged; 0 if there is none."""
        ...

    def findings(self, progress: Progress) -> AsyncIterator[Finding]:
        """Everything that is wrong with the log as it was when this began."""
        ...


class Mender(Protocol):
    async def mend(self, finding: Finding) -> None:
        """Carry out the finding's remedy.

        Raises:
            Unavailable: It was not carried out.
        """
        ...
