"""Golden files: structure as it was recorded, compared with structure as it is."""

import difflib
import json
from collections.abc import Set
from pathlib import Path

import pytest
from attrs import frozen

FOLDER = Path(__file__).parent / "files"
WIDTH = 100
HOW = "If this change is intended, `make golden` records it; name it in the changelog."


@frozen
class Golden:
    """Compares with the recorded files, or records them with `--update-golden`."""

    update: bool

    def json(self, name: str, structure: object) -> None:
        self.text(name, rendered(structure))

    def text(self, name: str, text: str) -> None:
        file, current = FOLDER / name, text.rstrip("\n") + "\n"
        if self.update:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(current)
            return
        recorded = file.read_text() if file.exists() else ""
        if recorded != current:
            pytest.fail(f"{name} has changed.\n{_difference(recorded, current)}\n{HOW}", False)

    def only(self, folder: str, names: Set[str]) -> None:
        """Fail on files that have other names: what they recorded is gone."""
        others = {file for file in (FOLDER / folder).glob("*") if file.name not in names}
        if self.update:
            for file in others:
                file.unlink()
        elif others:
            left = ", ".join(sorted(file.name for file in others))
            pytest.fail(f"{left}: recorded, but no longer there.\n{HOW}", False)


def rendered(structure: object, margin: int = 0) -> str:
    """JSON in the order of its keys; what fits into a line is written into one."""
    line = json.dumps(structure, sort_keys=True, ensure_ascii=False)
    if margin + len(line) <= WIDTH or not isinstance(structure, dict | list):
        return line
    inner, pad = margin + 1, " " * (margin + 1)
    if isinstance(structure, list):
        parts = [pad + rendered(one, inner) for one in structure]
        return "[\n" + ",\n".join(parts) + "\n" + " " * margin + "]"
    names = sorted(structure)
    parts = [f"{pad}{json.dumps(name)}: {rendered(structure[name], inner)}" for name in names]
    return "{\n" + ",\n".join(parts) + "\n" + " " * margin + "}"


def _difference(recorded: str, current: str) -> str:
    lines = (recorded.splitlines(), current.splitlines())
    return "\n".join(difflib.unified_diff(*lines, "recorded", "current", lineterm="", n=6))
