"""The command line: help, settings and the description of the API."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from entrypoints.cli.app import app
from entrypoints.settings.loading import Settings, variable
from entrypoints.wiring.projections import projections_by_name

ROOT = Path(__file__).parents[3]


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> CliRunner:
    monkeypatch.chdir(tmp_path)
    return CliRunner()


def test_help_names_every_command(runner: CliRunner) -> None:
    shown = runner.invoke(app, ["--help"]).stdout
    for command in ("serve", "demo", "health", "project", "erase", "log", "openapi", "settings"):
        assert command in shown
    assert "graphql" in shown
    for noun in ("datasets", "incidents", "lineage", "signals"):
        assert noun in shown


@pytest.mark.parametrize("noun", ["datasets", "incidents", "lineage", "signals"])
def test_a_noun_helps_with_an_example(runner: CliRunner, noun: str) -> None:
    shown = runner.invoke(app, [noun, "--help"])
    assert shown.exit_code == 0
    assert f"For example: statestore {noun}" in shown.stdout


def test_the_committed_description_of_the_api_is_the_present_one(runner: CliRunner) -> None:
    """If this fails: make generated."""
    printed = runner.invoke(app, ["openapi"]).stdout
    assert json.loads(printed) == json.loads((ROOT / "docs" / "openapi.json").read_text())


def test_the_committed_schema_is_the_present_one(runner: CliRunner) -> None:
    """If this fails: make generated."""
    printed = runner.invoke(app, ["graphql"]).stdout
    assert printed == (ROOT / "docs" / "schema.graphql").read_text()


def test_settings_are_shown_with_their_meaning(runner: CliRunner) -> None:
    shown = json.loads(runner.invoke(app, ["settings", "--json"]).stdout)
    assert set(shown) == {variable(name) for name in Settings.model_fields}
    assert all(row["meaning"] for row in shown.values())


def test_what_is_not_set_is_null_or_empty(runner: CliRunner) -> None:
    shown = json.loads(runner.invoke(app, ["settings", "--json"]).stdout)
    assert shown["STATESTORE_BLOB_STORE"]["value"] is None
    assert shown["STATESTORE_HTTP_PORT"]["value"] == "8080"
    lines = runner.invoke(app, ["settings"]).stdout.splitlines()
    assert "STATESTORE_BLOB_STORE=" in lines


def test_a_token_is_never_shown(runner: CliRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATESTORE_ADMIN_TOKEN", "a-token-that-is-secret")
    assert "secret" not in runner.invoke(app, ["settings"]).stdout


def test_erasing_asks_first(runner: CliRunner) -> None:
    declined = runner.invoke(app, ["erase", "jane"], input="n\n")
    assert declined.exit_code == 1
    assert not Path("var").exists()


def test_bad_settings_are_a_wrong_use(runner: CliRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATESTORE_HTTP_PORT", "x")
    monkeypatch.setenv("STATESTORE_NONSENSE", "x")
    ended = runner.invoke(app, ["settings"])
    assert ended.exit_code == 2
    assert "STATESTORE_HTTP_PORT" in ended.stderr
    assert "STATESTORE_NONSENSE" in ended.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["signals", "--state"],
        ["signals", "--tier"],
        ["incidents", "--status"],
        ["incidents", "--severity"],
        ["incidents", "severity", "INC-1"],
        ["incidents", "resolve", "INC-1", "--root-cause", "x", "--reason"],
        ["events", "--type"],
    ],
)
def test_a_word_that_is_none_of_them_is_a_wrong_use(runner: CliRunner, words: list[str]) -> None:
    ended = runner.invoke(app, [*words, "BROKEN"])
    assert ended.exit_code == 2
    assert "'BROKEN' is none of" in ended.stderr
    assert "Value error" not in ended.stderr


@pytest.mark.parametrize("page", ["projections.md", "read-models.md"])
def test_the_pages_about_read_models_name_every_projection(page: str) -> None:
    text = (ROOT / "docs" / page).read_text()
    assert [name for name in projections_by_name(Settings()) if f"`{name}`" not in text] == []
