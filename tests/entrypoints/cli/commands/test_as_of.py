"""Every command that shows something shows it as it was, too."""

import pytest

from tests.entrypoints.cli.commands.shell import Shell
from tests.entrypoints.cli.commands.test_datasets import COLUMN, ORDERS, REVENUE, a_platform

__all__ = ["a_platform"]

LONG_AGO = "2000-01-01T00:00:00Z"

LISTS = {
    ("datasets",): "datasets",
    ("signals",): "signals",
    ("incidents",): "incidents",
    ("lineage", "readers", COLUMN): "readers",
    ("lineage", "writers", REVENUE): "writers",
    ("lineage", "impact", ORDERS): "entities",
}
SINGLE = [
    ("datasets", "show", ORDERS),
    ("datasets", "health", ORDERS),
    ("signals", "show", ORDERS),
    ("signals", "show", ORDERS, "VOLUME"),
    ("incidents", "show", "INC-1"),
    ("incidents", "impact", "INC-1"),
]


@pytest.mark.parametrize("words", LISTS)
def test_before_everything_nothing_is_listed(shell: Shell, words: tuple[str, ...]) -> None:
    assert shell.json(*words, "--as-of", LONG_AGO)[LISTS[words]] == []


@pytest.mark.parametrize("words", SINGLE)
def test_before_everything_nothing_is_found(shell: Shell, words: tuple[str, ...]) -> None:
    assert shell.run(*words, "--as-of", LONG_AGO).exit_code == 1


def test_what_has_not_changed_is_the_same(shell: Shell) -> None:
    now = shell.json("datasets", "show", ORDERS)
    assert shell.json("datasets", "show", ORDERS, "--as-of", now["updated_at"]) == now


def test_the_future_is_refused_with_a_reason(shell: Shell) -> None:
    ended = shell.run("datasets", "--as-of", "2999-01-01T00:00:00Z")
    assert ended.exit_code == 1
    assert "future" in ended.stderr


@pytest.mark.parametrize("words", [*LISTS, *SINGLE])
def test_what_is_no_moment_is_a_wrong_use(shell: Shell, words: tuple[str, ...]) -> None:
    ended = shell.run(*words, "--as-of", "garbage")
    assert (ended.exit_code, ended.stdout) == (2, "")
    assert "garbage" in ended.stderr


@pytest.mark.parametrize("words", [*LISTS, *SINGLE[1:5]])
def test_the_past_is_not_watched(shell: Shell, words: tuple[str, ...]) -> None:
    ended = shell.run(*words, "--as-of", LONG_AGO, "--watch")
    assert (ended.exit_code, ended.stdout) == (2, "")
    assert "--watch" in ended.stderr


def test_a_picture_says_of_when_it_is(shell: Shell) -> None:
    moment = shell.json("datasets", "show", ORDERS)["updated_at"]
    assert shell.out("datasets", "--as-of", moment).splitlines()[0] == f"as of {moment}"
    assert "as of" not in shell.out("datasets")


def test_a_moment_may_be_told_with_any_offset(shell: Shell) -> None:
    assert "as of 1999-12-31T23:00:00.000Z" in shell.out(
        "datasets", "--as-of", "2000-01-01T00:00:00+01:00"
    )
