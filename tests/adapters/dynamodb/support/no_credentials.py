"""Surroundings in which no AWS credentials, region or profile is set."""

from pathlib import Path

import pytest

_SET = (
    "AWS_ACCESS_KEY_ID",
    "AWS_DEFAULT_REGION",
    "AWS_ENDPOINT_URL",
    "AWS_ENDPOINT_URL_DYNAMODB",
    "AWS_PROFILE",
    "AWS_REGION",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
)


def empty(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Path:
    """Empty them; returns the path of the shared credentials file, which does not exist."""
    for name in _SET:
        monkeypatch.delenv(name, raising=False)
    shared = folder / "credentials"
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(shared))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(folder / "config"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    return shared
