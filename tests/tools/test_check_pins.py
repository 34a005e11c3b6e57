"""What a package needs with the first Python 3.11 must be pinned, as far as it is known."""

from importlib.metadata import version
from pathlib import Path

import pytest

from tools import check_pins

HASH = "--hash=sha256:" + "0" * 64
REDIS = version("redis")


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(check_pins, "ROOT", tmp_path)
    return tmp_path / "requirements.txt"


def complaints(said: Path, *pins: str) -> list[str]:
    said.write_text("\n".join(f"{pin} \\\n    {HASH}" for pin in pins))
    return list(check_pins.complaints(said.name))


def test_what_an_earlier_python_needs_must_be_pinned(said: Path) -> None:
    (wrong,) = complaints(said, f"redis=={REDIS}")
    assert wrong == (
        "requirements.txt: redis needs async-timeout with Python 3.11.0, which is not pinned"
    )
    assert complaints(said, f"redis=={REDIS}", "async-timeout==5.0.1") == []


def test_what_is_not_installed_as_it_is_pinned_is_not_known(said: Path) -> None:
    """Pins are made before they are installed."""
    assert complaints(said, "redis==0.0.1", "no-such-package==1.0") == []


def test_what_has_no_hash_or_names_a_place_is_told(said: Path) -> None:
    said.write_text("attrs==26.1.0\nat ./here")
    first, *others = check_pins.complaints(said.name)
    assert "not a pin with hashes: attrs==26.1.0" in first
    assert any("names a place: at ./here" in one for one in others)
