"""Page tokens are signed, and good for their own list only."""

from collections.abc import Iterator
from typing import Any

import httpx

from tests.entrypoints.http.api import Api, fields

DATASETS = "/api/v1/datasets"


def _page(api: Api, path: str, token: str, **params: Any) -> httpx.Response:
    return api.get(path, params={"page_token": token, **params})


def _bad_tokens(token: str) -> Iterator[str]:
    yield ""
    yield "nonsense"
    yield "ümlaut"
    yield token[:-1]
    yield "A" + token[1:]
    yield token + "A"


def test_page_tokens_cannot_be_made_up(api: Api) -> None:
    for number in range(3):
        api.registered(dataset_urn=f"urn:dp:o:n{number}:v1")
    token = api.get(DATASETS, params={"page_size": 1}).json()["next_page_token"]
    for bad in _bad_tokens(token):
        assert fields(_page(api, DATASETS, bad)) == {"page_token": "MALFORMED"}
    assert _page(api, DATASETS, token).status_code == 200
    assert _page(api, DATASETS, token, page_size=2).status_code == 200


def test_page_tokens_are_good_for_their_list_only(api: Api) -> None:
    for number in range(3):
        api.registered(dataset_urn=f"urn:dp:o:n{number}:v1")
    token = api.get(DATASETS, params={"page_size": 1}).json()["next_page_token"]
    assert fields(_page(api, DATASETS, token, tier="TIER_1")) == {"page_token": "MALFORMED"}
    assert fields(_page(api, "/api/v1/signals", token)) == {"page_token": "MALFORMED"}
    versions = f"{DATASETS}/urn:dp:o:n0:v1/versions"
    assert fields(_page(api, versions, token)) == {"page_token": "MALFORMED"}
