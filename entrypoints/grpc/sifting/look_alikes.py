"""
Reports that look like others which nothing was wrong with, and are not part of the sample.

Nearly all that come are of this kind. It is found out from their bytes, in half of the time that it
takes to read field after field and to check them.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime

from attrs import define, field

from domain.evidence import Verdict, is_kept
from entrypoints.grpc.sifting.stencils import Known, Stencil, as_number, cut, latest, nothing_known
from entrypoints.grpc.sifting.wire import Strange

MOST_LEARNED = 20_000
"""Datasets, producers, topics, results and schemas. Then all are forgotten: it takes a moment to
learn them again."""

OF_A_STENCIL = 10
"""It takes up to 3 KB, as much memory as so many of these."""

MOST_ALIKE = 8
"""Stencils for reports of the same length, which are all tried: the oldest makes room."""

MOST_CUT = 16
"""Stencils at a time: cutting one takes as long as reading five reports."""

LARGEST = 1_024
"""Bytes of a report. What is larger is not learned: few are, and they would fill the memory."""

_DATASET = 33
"""Where the length of the dataset's name lies: behind the id, which is as long in all reports."""


@define
class LookAlikes:
    pass_rate: float
    _stencils: dict[tuple[int, int], list[Stencil]] = field(factory=dict, init=False)
    _known: Known = field(factory=nothing_known, init=False)
    _learned: int = field(default=0, init=False)

    def others(self, sent: Sequence[bytes], at: datetime) -> Sequence[int]:
        """Which reports are not of this kind, or are not known to be, by their indexes."""
        until = latest(at)
        return [index for index, one in enumerate(sent) if not self._is_left_out(one, until)]

    def learn(self, sent: Iterable[bytes]) -> None:
        """Take note of reports that passed, are left out, and that nothing is wrong with."""
        may_cut = MOST_CUT
        for one in sent:
            if len(one) > LARGEST:
                continue
            if self._learned >= MOST_LEARNED:
                self._forget()
            stencil = self._fitting(one)
            if stencil is None and may_cut:
                may_cut -= 1
                stencil = self._cut(one)
            if stencil is not None:
                self._learned += stencil.learn(one)

    def _forget(self) -> None:
        self._stencils.clear()
        self._known = nothing_known()
        self._learned = 0

    def _fitting(self, sent: bytes) -> Stencil | None:
        number = as_number(sent)
        alike = self._stencils.get(_key(sent), ())
        return next((one for one in alike if one.fits(number)), None)

    def _cut(self, sent: bytes) -> Stencil | None:
        with suppress(Strange):
            stencil = cut(sent, self._known)
            alike = self._stencils.setdefault(_key(sent), [])
            if len(alike) >= MOST_ALIKE:
                del alike[0]
            alike.append(stencil)
            self._learned += OF_A_STENCIL
            return stencil
        return None

    def _is_left_out(self, sent: bytes, until: int) -> bool:
        alike = self._stencils.get(_key(sent))
        if alike is None:
            return False
        number = as_number(sent)
        for one in alike:
            if one.fits(number) and one.is_right(sent, until):
                return not is_kept(sent[one.name].decode(), Verdict.PASS, self.pass_rate)
        return False


def _key(sent: bytes) -> tuple[int, int]:
    """Reports of which it is the same may fit the same stencils."""
    return len(sent), sent[_DATASET] if len(sent) > _DATASET else 0
