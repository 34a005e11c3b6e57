"""Whatever is damaged, all the rest is read; and what is damaged is named, each with its reason."""

import asyncio
from collections.abc import Collection, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from application.errors import Damaged, NotReadable, Unavailable
from application.evidence.damage_apart import damage_apart
from domain.ids import EvidenceId
from tests.application.evidence.samples import some_id

IDS = [some_id(number) for number in range(12)]


@given(st.lists(st.sampled_from(IDS), unique=True), st.sets(st.sampled_from(IDS)))
def test_all_that_is_whole_is_read(asked: list[EvidenceId], damaged: set[EvidenceId]) -> None:
    async def ask(ids: Collection[EvidenceId]) -> Mapping[EvidenceId, str]:
        for name in damaged.intersection(ids):
            raise (Damaged if name < IDS[0] else NotReadable)(name, "it differs")
        return {name: name for name in ids}

    found, spoilt = asyncio.run(damage_apart(ask, asked))
    assert found.keys() == {*asked} - damaged
    assert {name: error.what for name, error in spoilt.items()} == {
        name: name for name in damaged.intersection(asked)
    }


def test_where_nothing_can_be_asked_it_ends() -> None:
    async def ask(ids: Collection[EvidenceId]) -> Mapping[EvidenceId, str]:
        raise Damaged("the file", "a page is malformed")

    assert asyncio.run(damage_apart(ask, [])) == ({}, {})
    assert asyncio.run(damage_apart(ask, IDS))[1].keys() == {*IDS}


def test_whoever_does_not_answer_is_not_asked_again() -> None:
    asked = list[int]()

    async def ask(ids: Collection[EvidenceId]) -> Mapping[EvidenceId, str]:
        asked.append(len(ids))
        raise Unavailable("the archive", "it is away")

    with pytest.raises(Unavailable):
        asyncio.run(damage_apart(ask, IDS))
    assert asked == [len(IDS)]
