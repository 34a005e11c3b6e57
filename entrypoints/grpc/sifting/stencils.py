"""
Stencils: what one report in bytes tells about others that look like it.

A stencil is cut for a report that nothing is wrong with. What it covers must be the same in another
report, byte for byte: then the fields of the other lie where they lie in the first. Through its
holes shows what may differ: some of that is checked, and some must have been seen before.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cache
from operator import itemgetter

from attrs import frozen

from domain.evidence_contract import LONGEST_REFERENCE, SHA256, SPAN, TRACE
from domain.ids import EVIDENCE_ID
from domain.violations import AHEAD
from entrypoints.grpc.messages.evidence_pb2 import Evidence
from entrypoints.grpc.sifting.wire import Path, Strange, located, path


def _path(name: str) -> Path:
    return path(Evidence, name)


_NAME, _SECONDS, _NANOS = map(_path, ("evidence_id", "created_at.seconds", "created_at.nanos"))

_TEXTS = {
    _NAME: EVIDENCE_ID.pattern,
    _path("fingerprints.payload_hash"): SHA256.pattern,
    _path("otel.trace_id"): TRACE.pattern,
    _path("otel.span_id"): SPAN.pattern,
    _path("payload_ref"): f"[ -~]{{1,{LONGEST_REFERENCE}}}",
}
"""What differs from record to record, and how it looks."""

_NUMBERS = {
    _SECONDS: 10,
    _NANOS: 10,
    _path("source.partition"): 4,
    _path("source.offset"): 7,
    _path("payload_size_bytes"): 7,
}
"""As much, and the most bytes in which any number, but for moments, is within its limits."""

_SEEN = [
    _path(name)
    for name in (
        "dataset_urn",
        "producer",
        "source.topic",
        "validation",
        "fingerprints.schema_fingerprint",
    )
]
"""What is the same in many records. Whether one is right does not depend on the others."""

_WANTED = frozenset((*_TEXTS, *_NUMBERS, *_SEEN))

Known = dict[Path, set[bytes]]
"""What was seen in reports that nothing is wrong with: of all stencils, since it means the same."""


def nothing_known() -> Known:
    return {one: set() for one in _SEEN}


def _as_compared(number: int) -> int:
    """As it is sent: which of two is larger can be seen without taking their bytes apart."""
    sent = bytearray()
    while number > 127:
        sent.append(number & 127 | 128)
        number >>= 7
    return int.from_bytes((*sent, number), "little")


_MOST_NANOS = _as_compared(999_999_999)


def latest(at: datetime) -> int:
    """The last second for reports that come at this moment, as it is compared."""
    return _as_compared(int((at + AHEAD).timestamp()) - 1)


@frozen(eq=False)
class Stencil:
    name: slice
    _mask: int
    _covered: int
    _seconds: slice
    _nanos: slice | None
    _seen: Sequence[tuple[slice, set[bytes]]]
    """Where it lies, and what is known of it."""
    _texts: Callable[[bytes], Sequence[bytes]]
    _looks_right: Callable[[bytes], object]

    def fits(self, number: int) -> bool:
        """Whether the fields of a report of the same length lie where those of the first lie.

        The report is given as a number, which is made once for all stencils.
        """
        return number & self._mask == self._covered

    def learn(self, sent: bytes) -> int:
        """Take note of a report that it fits, and that nothing is wrong with; how much was new."""
        new = [(known, one) for place, known in self._seen if (one := sent[place]) not in known]
        for known, one in new:
            known.add(one)
        return len(new)

    def is_right(self, sent: bytes, latest: int) -> bool:
        """Whether nothing is wrong with a report that it fits. If it says no, nobody knows."""
        for place, known in self._seen:
            if sent[place] not in known:
                return False
        number = int.from_bytes
        return (
            number(sent[self._seconds], "little") <= latest
            and (self._nanos is None or number(sent[self._nanos], "little") <= _MOST_NANOS)
            and self._looks_right(b"\n".join(self._texts(sent))) is not None
        )


def as_number(sent: bytes) -> int:
    return int.from_bytes(sent, "little")


def cut(sent: bytes, known: Known) -> Stencil:
    """For a report that nothing is wrong with. Raises Strange if others cannot look like it."""
    found = located(sent, _WANTED)
    if _NAME not in found or _SECONDS not in found:
        raise Strange
    mask = _mask(sent, found)
    texts = [one for one in _TEXTS if one in found]
    return Stencil(
        name=found[_NAME],
        mask=mask,
        covered=as_number(sent) & mask,
        seconds=found[_SECONDS],
        nanos=found.get(_NANOS),
        seen=[(found[one], known[one]) for one in _SEEN if one in found],
        texts=_shown([found[one] for one in texts]),
        looks_right=_look(tuple(_TEXTS[one] for one in texts)),
    )


def _mask(sent: bytes, found: Mapping[Path, slice]) -> int:
    mask = bytearray(b"\xff" * len(sent))
    for one, place in found.items():
        width = place.stop - place.start
        if one not in _NUMBERS:
            mask[place] = bytes(width)
        # What is nought stays so: without a topic, other numbers would be wrong.
        elif width <= _NUMBERS[one] and sent[place].strip(b"\x80\x00"):
            # What tells where a number ends is covered.
            mask[place] = b"\x80" * width
    return int.from_bytes(mask, "little")


def _shown(places: Sequence[slice]) -> Callable[[bytes], Sequence[bytes]]:
    # Of a single place, `itemgetter` would give what is there, instead of a list of it.
    nothing = slice(0)
    return itemgetter(*places, nothing)


@cache
def _look(looks: tuple[str, ...]) -> Callable[[bytes], object]:
    lines = "".join(f"(?:{look})\n" for look in looks)
    return re.compile(lines.encode()).fullmatch
