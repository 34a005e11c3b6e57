"""
Reports that look like others which nothing was wrong with, and are not part of the sample.

Nearly all that come are of this kind. It is found out from their bytes, in half of the time that it
takes to read field after field and to check them.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

from attrs import define, field

from domain.evidence import Verdict, is_kept
from entrypoints.grpc.sifting.stencils import Stencil, cut, latest
from entrypoints.grpc.sifting.wire import Strange

MOST_LEARNED = 20_000
"""Reports, of up to 2 KB each. Then all are forgotten: it takes a moment to learn them again."""

MOST_ALIKE = 8
"""Stencils that are tried. They differ in how many digits numbers have: the oldest makes room."""

_DATASET = 32
"""Where the dataset begins: behind the id, which is as long in all reports."""


@define
class LookAlikes:
    pass_rate: float
    _stencils: dict[tuple[int, bytes], list[Stencil]] = field(factory=dict, init=False)
    _learned: int = field(default=0, init=False)

    def others(self, sent: Sequence[bytes], at: datetime) -> Sequence[int]:
        """Which reports are not of this kind, or are not known to be, by their indexes."""
        until = latest(at)
        return [index for index, one in enumerate(sent) if not self._is_left_out(one, until)]

    def learn(self, sent: bytes) -> None:
        """Take note of a report that passed, and that nothing is wrong with."""
        if self._learned >= MOST_LEARNED:
            self._stencils.clear()
            self._learned = 0
        self._learned += 1
        with suppress(Strange):
            self._stencil(sent).learn(sent)

    def _stencil(self, sent: bytes) -> Stencil:
        """One that fits."""
        alike = self._stencils.setdefault(_key(sent), [])
        for one in alike:
            if one.fits(sent):
                return one
        if len(alike) >= MOST_ALIKE:
            del alike[0]
        alike.append(cut(sent))
        return alike[-1]

    def _is_left_out(self, sent: bytes, until: int) -> bool:
        for stencil in self._stencils.get(_key(sent), ()):
            if stencil.is_right(sent, until):
                return not is_kept(sent[stencil.name].decode(), Verdict.PASS, self.pass_rate)
        return False


def _key(sent: bytes) -> tuple[int, bytes]:
    """Reports with the same are as long and, unless they are strange, of the same dataset."""
    length = sent[_DATASET + 1] if len(sent) > _DATASET + 1 else 0
    return len(sent), sent[_DATASET : _DATASET + 2 + length]
