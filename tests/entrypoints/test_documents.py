"""What the documents name is there: headings, commands, options, settings, targets, paths."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
import typer
from typer.core import TyperCommand, TyperGroup

from benchmarks.__main__ import parser as benchmarks
from entrypoints.cli.app import app
from entrypoints.settings.loading import OF_THE_CLIENT, Settings, variable

ROOT = Path(__file__).parents[2]
COMMANDS = typer.main.get_command(app)
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    ROOT / "client" / "README.md",
    *(ROOT / "docs").rglob("*.md"),
]


def wrong(problems: Callable[[Path], Iterable[str]]) -> list[str]:
    """Every problem of every document."""
    return [f"{one.relative_to(ROOT)}: {what}" for one in DOCUMENTS for what in problems(one)]


def code(document: Path) -> Iterator[str]:
    """Every line of a block, and everything between backticks."""
    text = document.read_text()
    for block in re.findall(r"^```\w*\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        yield from block.splitlines()
    prose = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    yield from (" ".join(one.split()) for one in re.findall(r"`([^`]+)`", prose))


def headings(document: Path) -> set[str]:
    """As what they can be linked to."""
    titles = re.findall(r"^#+ (.*)$", document.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_links_lead_somewhere() -> None:
    def dead(document: Path) -> Iterator[str]:
        for link in re.findall(r"\]\(([^)\s]+)\)", document.read_text()):
            path, _, heading = link.partition("#")
            there = document.parent / path if path else document
            if "://" in link:
                continue
            if not there.exists() or (heading and heading not in headings(there)):
                yield link

    assert wrong(dead) == []


def unknown(said: str) -> str | None:
    """The first word that the command line would not understand, names and values apart."""
    command: object = COMMANDS
    for word in re.split(r"\s[|>&#]|[;)]", said, maxsplit=1)[0].split():
        if word.startswith("--"):
            if word.partition("=")[0] not in options(command):
                return word
        elif isinstance(command, TyperGroup) and re.fullmatch(r"[a-z-]+", word):
            if word not in command.commands:
                return word
            command = command.commands[word]
    return None


def options(command: object) -> set[str]:
    """Those of a noun alone are those of its list."""
    if isinstance(command, TyperGroup):
        command = command.commands.get("list")
    params = command.params if isinstance(command, TyperCommand) else []
    return {name for one in params for name in one.opts} | {"--help"}


def test_commands_and_their_options_exist() -> None:
    def misspelt(document: Path) -> Iterator[str]:
        for line in code(document):
            for said in re.findall(r"(?:^|[\s/(])statestore (.*)", line):
                if unknown(said):
                    yield f"statestore {said}: {unknown(said)}"

    assert wrong(misspelt) == []


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("signals --watch", None),
        ("incidents explain $INC | head --lines 1", None),
        ("dead-letters resend webhook-oncall --all", None),
        ("incident list", "incident"),
        ("log chek", "chek"),
        ("signals --wach", "--wach"),
        ("log export FILE --forse", "--forse"),
    ],
)
def test_what_is_not_a_command_is_noticed(said: str, word: str | None) -> None:
    assert unknown(said) == word


def test_the_table_of_the_terminal_client_names_commands() -> None:
    rows = re.findall(r"^\| (`.+?`) \|", (ROOT / "docs" / "terminal.md").read_text(), re.MULTILINE)
    for row in rows:
        first, *more = re.findall(r"`([^`]+)`", row)
        noun = first.split()[0]
        said = [first, *(one if one.startswith(noun) else f"{noun} {one}" for one in more)]
        assert [one for one in said if unknown(one)] == []
    assert len(rows) > 20


def test_settings_exist() -> None:
    known = {variable(field) for field in Settings.model_fields} | OF_THE_CLIENT

    def missing(document: Path) -> set[str]:
        # Some name a family of them: `STATESTORE_GRPC_…`.
        named = re.findall(r"STATESTORE_[A-Z_]+[A-Z](?![A-Z_…])", document.read_text())
        return set(named) - known

    assert wrong(missing) == []


def test_targets_of_make_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))

    def missing(document: Path) -> set[str]:
        said = (re.match(r"(?:[A-Z_]+=\S+ )*make ([a-z-]+)(?= |$)", one) for one in code(document))
        return {one[1] for one in said if one} - targets

    assert wrong(missing) == []


def test_benchmarks_exist() -> None:
    def misspelt(document: Path) -> Iterator[str]:
        for said in re.findall(r"make bench ARGS=(\"[^\"]+\"|[\w-]+)", document.read_text()):
            try:
                benchmarks().parse_args(said.strip('"').split())
            except SystemExit:
                yield said

    assert wrong(misspelt) == []


def test_paths_of_the_api_exist() -> None:
    api = json.loads((ROOT / "docs" / "openapi.json").read_text())["paths"]
    served = "|".join(
        f"{method.upper()} " + re.sub(r"\{.*?\}", "[^/]+", path)
        for path, methods in api.items()
        for method in methods
    )

    def missing(document: Path) -> Iterator[str]:
        named = r"\b(?:GET|POST|PUT|PATCH|DELETE) /api/[^\s`'\"?|]+"
        for one in re.findall(named, document.read_text()):
            if not re.fullmatch(served, one):
                yield one

    assert wrong(missing) == []
