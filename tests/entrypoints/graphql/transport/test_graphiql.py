"""GraphiQL for browsers: all of it from here, and nothing else allowed.

What it looks like and does was tried in a browser; these see to it that it still gets its files.
"""

import re
from pathlib import Path

import httpx
import pytest

from entrypoints.graphql.transport import graphiql
from tests.entrypoints.http.api import Api

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"


def opened(api: Api, **headers: str) -> httpx.Response:
    return api.get("/graphql", headers={"Accept": BROWSER, "Authorization": "", **headers})


def policy(answer: httpx.Response) -> dict[str, list[str]]:
    parts = [part.split() for part in answer.headers["content-security-policy"].split(";")]
    return {name: sources for name, *sources in parts}


def test_browsers_get_a_page_and_every_file_that_it_names(api: Api) -> None:
    if not graphiql.is_fetched():
        pytest.fail("GraphiQL is not here: `make test` fetches it", pytrace=False)
    page = opened(api)
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    named = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    local = [name for name in named if not name.startswith("data:")]
    assert len(local) == 6
    for name in local:
        assert name.startswith("/graphql/assets/")
        asset = api.get(name, headers={"Authorization": ""})
        assert asset.status_code == 200
        assert asset.headers["x-content-type-options"] == "nosniff"
        kind = "text/css" if name.endswith(".css") else "text/javascript"
        assert asset.headers["content-type"] == f"{kind}; charset=utf-8"


@pytest.mark.parametrize("path", ["/graphql", "/graphql/assets/page.js"])
def test_nothing_from_elsewhere_is_allowed(api: Api, path: str) -> None:
    allowed = policy(api.get(path, headers={"Accept": BROWSER}))
    assert allowed["default-src"] == ["'none'"]
    assert allowed["script-src"] == ["'self'"]
    assert allowed["connect-src"] == ["'self'"]
    assert allowed["frame-ancestors"] == ["'none'"]
    every = {source for sources in allowed.values() for source in sources}
    styles = {source for source in every if source.startswith("'sha256-")}
    assert every - styles == {"'self'", "'none'", "data:"}
    assert styles <= set(allowed["style-src"])


def test_without_its_files_the_page_says_how_to_get_them(
    api: Api, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(graphiql, "FETCHED", tmp_path)
    page = opened(api)
    assert page.status_code == 200
    assert "make graphiql" in page.text
    assert "<script" not in page.text
    assert api.get("/graphql/assets/graphiql.min.js").status_code == 404
    assert api.get("/graphql/assets/page.css").status_code == 200


@pytest.mark.parametrize("name", ["x.js", "SHA512", "page.html", "..%2Fgraphiql.py", "%2e%2e"])
def test_there_is_nothing_else(api: Api, name: str) -> None:
    assert api.get(f"/graphql/assets/{name}").status_code == 404


def test_programs_get_no_page(api: Api) -> None:
    query = {"query": "{ __typename }"}
    for accept in ("*/*", "application/json", "application/json, text/html;q=0.5"):
        answer = api.get("/graphql", params=query, headers={"Accept": accept})
        assert answer.json() == {"data": {"__typename": "Query"}}
    assert api.post("/graphql", query, headers={"Accept": "text/html"}).status_code == 406
