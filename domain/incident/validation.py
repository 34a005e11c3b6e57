"""Checks and limits that requests about incidents share."""

from collections.abc import Callable, Iterator, Sequence

from domain.errors import Violation
from domain.ids import SIGNAL_TYPES, is_evidence_id, is_failure_signature, is_signal_type

MOST_AT_ONCE = 10
LONGEST_NOTE = 4_000
LONGEST_PERSON = 254


def signal_violations(said: Sequence[str]) -> Iterator[Violation]:
    wanted = f"must be {', '.join(SIGNAL_TYPES)} or CUSTOM_<NAME>"
    yield from _each("signal_types", said, is_signal_type, "UNKNOWN_VALUE", wanted)


def signature_violations(said: Sequence[str]) -> Iterator[Violation]:
    wanted = "must look like REASON_CODE:field"
    yield from _each("failure_signatures", said, is_failure_signature, "MALFORMED", wanted)


def evidence_violations(said: Sequence[str]) -> Iterator[Violation]:
    yield from _each(
        "evidence_sample", said, is_evidence_id, "MALFORMED", "must look like evd-<ulid>"
    )


def _each(
    field: str, said: Sequence[str], good: Callable[[str], bool], code: str, wanted: str
) -> Iterator[Violation]:
    if len(said) > MOST_AT_ONCE:
        yield Violation(field, "TOO_MANY", f"must have at most {MOST_AT_ONCE} items")
        return
    for index, one in enumerate(said):
        if not good(one):
            yield Violation(f"{field}[{index}]", code, wanted)


def one_of(field: str, value: str | None, allowed: Sequence[str]) -> Iterator[Violation]:
    if value is not None and value not in allowed:
        yield Violation(field, "UNKNOWN_VALUE", f"must be {', '.join(allowed)}")
