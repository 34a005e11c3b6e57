"""The events that the product logs, found in its source."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PACKAGES = ("domain", "application", "adapters", "entrypoints", "client/statestore_client")
LEVELS = ("debug", "info", "warning", "error", "exception", "critical")


def log_events() -> dict[str, dict[str, list[str]]]:
    """By the name of an event: its levels and the names of its values, wherever it is logged."""
    found: dict[str, dict[str, set[str]]] = {}
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            source = file.read_text()
            for levels, call in _calls(ast.parse(source)) if "structlog" in source else ():
                event = found.setdefault(_name(call, file), {"levels": set(), "values": set()})
                event["levels"] |= levels
                event["values"] |= {one.arg for one in call.keywords if one.arg}
    return {name: {key: sorted(all_) for key, all_ in one.items()} for name, one in found.items()}


def _calls(tree: ast.Module) -> Iterator[tuple[set[str], ast.Call]]:
    """Calls of a method of a logger, or of a name that such a method was given."""
    named = _named_methods(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if levels := _levels(node.func):
                yield levels, node
            elif isinstance(node.func, ast.Name) and node.func.id in named:
                yield named[node.func.id], node


def _named_methods(tree: ast.Module) -> dict[str, set[str]]:
    """`tell = _log.debug if quiet else _log.info`: the name, and the levels it may have."""
    return {
        node.targets[0].id: levels
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        if (levels := _levels(node.value))
    }


def _levels(node: Any) -> set[str]:
    if isinstance(node, ast.IfExp):
        return _levels(node.body) | _levels(node.orelse)
    if isinstance(node, ast.Attribute) and node.attr in LEVELS and _is_logger(node.value):
        return {node.attr}
    return set()


def _is_logger(node: ast.expr) -> bool:
    source = ast.unparse(node)
    return source.endswith("get_logger()") or source in ("_log", "self._log", "log", "logger")


def _name(call: ast.Call, file: Path) -> str:
    """An event that is not written as a literal could not be recorded."""
    first = call.args[0] if call.args else None
    literal = isinstance(first, ast.Constant) and isinstance(first.value, str)
    assert literal, f"{file}:{call.lineno}: the name of a log event must be a literal"
    return str(ast.literal_eval(first))  # type: ignore[arg-type]  # it is not None
