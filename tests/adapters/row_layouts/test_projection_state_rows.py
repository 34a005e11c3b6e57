"""What projections remember, as rows: written and read strictly."""

from datetime import timedelta

import orjson
import pytest
from cattrs.errors import ForbiddenExtraKeysError
from hypothesis import given

from adapters.row_layouts.projection_state_rows import (
    facets_from_row,
    facets_key,
    facets_key_of,
    facets_to_row,
    rules_from_row,
    rules_key,
    rules_key_of,
    rules_to_row,
)
from application.datasets.resolution_read_model import RuleBook, RuleBookKey
from application.projections.signals import Facets, FacetsKey
from domain.dataset.tier import Tier
from tests.adapters.row_layouts.sample_views import NOON, ORDERS, facets, rule_books


@given(facets)
def test_facets_come_back_from_their_row(card: Facets) -> None:
    row = orjson.loads(orjson.dumps(facets_to_row(card, 1)))
    assert facets_from_row(row) == card
    assert facets_key_of(row) == FacetsKey(card.dataset)


@given(rule_books)
def test_a_rule_book_comes_back_from_its_row(card: RuleBook) -> None:
    row = orjson.loads(orjson.dumps(rules_to_row(card, 1)))
    assert rules_from_row(row) == card
    assert rules_key_of(row) == RuleBookKey(card.dataset)


def test_kinds_do_not_share_rows() -> None:
    assert facets_key(FacetsKey(ORDERS)) != rules_key(RuleBookKey(ORDERS))


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"unheard_of": 1}, ForbiddenExtraKeysError),
        ({"owner_team": 5}, TypeError),
        ({"tier": "TIER_9"}, ValueError),
        ({"retired_at": "then"}, ValueError),
    ],
)
def test_what_does_not_fit_is_an_error(change: dict[str, object], error: type[Exception]) -> None:
    row = facets_to_row(Facets(ORDERS, Tier.TIER_1, "team", NOON + timedelta(days=1)), 1)
    broken = {**row, "view": {**row["view"], **change}}
    with pytest.raises(error):
        facets_from_row(broken)
