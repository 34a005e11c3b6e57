"""
ETags, and requests that only count for a certain version.

A tag begins with the version: `"12"`, `"12-retired-…"`. If-Match names the version that a change
was decided on; when it is stale the answer is 412, when a version in the body is stale, 409.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated

from attrs import frozen
from fastapi import Header

from application.datasets.read_model import DatasetView
from application.recorded import ERASED
from domain.dataset.config import DatasetStatus
from domain.errors import VersionMismatch, Violation
from domain.validation import LARGEST_INTEGER
from domain.versions import ANY_VERSION
from entrypoints.http.errors import PreconditionFailed

NO_VERSION = LARGEST_INTEGER
"""Stands for a tag that nothing ever had."""

_TAG = re.compile(r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"')
_OURS = re.compile(r'"(\d{1,15})(-[a-z0-9-]+)?"', re.ASCII)

IfMatch = Annotated[
    str | None,
    Header(
        alias="If-Match",
        description="The ETag that the change was decided on; stale: 412. `*` stands for any.",
        json_schema_extra={"pattern": r'^(\*|(W/)?"[!#-~]*")$', "examples": ['"12"']},
    ),
]
IfNoneMatch = Annotated[
    str | None,
    Header(alias="If-None-Match", description="An ETag; if it is still right, the answer is 304."),
]


@frozen
class Expected:
    """The version that the caller decided on, and where it said so."""

    version: int | None
    in_header: bool = False
    status: DatasetStatus | None = None
    """What the tag says about a dataset, for those who change datasets."""
    violations: Sequence[Violation] = ()

    @contextmanager
    def checked(self) -> Iterator[None]:
        """Raises PreconditionFailed instead of VersionMismatch if the header named the version."""
        try:
            yield
        except VersionMismatch as error:
            if self.in_header:
                raise PreconditionFailed(error.what, error.current) from error
            raise


def parse_expected(if_match: str | None, in_body: int | None) -> Expected:
    """If-Match, else the version in the body; they must not contradict each other."""
    if if_match is None:
        return Expected(in_body)
    version = _version(if_match)
    if version is None:
        said = 'must be one ETag, such as "12", or *'
        return Expected(None, in_header=True, violations=[Violation("If-Match", "MALFORMED", said)])
    violations = list[Violation]()
    if in_body not in (None, version):
        said = "must be what If-Match says"
        violations.append(Violation("expected_version", "INCONSISTENT", said))
    return Expected(version, in_header=True, status=_status(if_match), violations=violations)


def expected(if_match: str | None, in_body: int | None, found: list[Violation]) -> Expected:
    """As `parse_expected`, for routes that still collect violations."""
    wanted = parse_expected(if_match, in_body)
    found += wanted.violations
    return wanted


def _status(if_match: str) -> DatasetStatus | None:
    ours = _OURS.fullmatch(if_match.strip())
    if ours is None:
        return None
    return DatasetStatus.RETIRED if (ours[2] or "").startswith("-retired") else DatasetStatus.ACTIVE


def _version(if_match: str) -> int | None:
    """Nothing if it is no tag."""
    tag = if_match.strip()
    if tag == "*":
        return ANY_VERSION
    if ours := _OURS.fullmatch(tag):
        return int(ours[1])
    return NO_VERSION if _TAG.fullmatch(tag) else None


def version_tag(version: int) -> str:
    return f'"{version}"'


def dataset_tag(card: DatasetView) -> str:
    """Another one whenever the answer is another one."""
    parts = [str(card.config_version)]
    if card.retired_at is not None:
        parts.append(f"retired-{int(card.retired_at.timestamp() * 1000)}")
    if card.archived_at is not None:
        parts.append("archived")
    if ERASED in (card.updated_by, card.settings.owner_email):
        parts.append("erased")
    return f'"{"-".join(parts)}"'


def matches(if_none_match: str | None, tag: str) -> bool:
    if if_none_match is None:
        return False
    tags = tags_in(if_none_match)
    return tag in tags or tags == ["*"]


def tags_in(if_none_match: str) -> list[str]:
    """The tags in quotes, without the mark of weak ones."""
    return [one.strip().removeprefix("W/") for one in if_none_match.split(",")]
