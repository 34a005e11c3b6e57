"""The questions of docs/graphql.md can be asked."""

import re
from pathlib import Path
from typing import Any

import pytest

from domain.timestamps import stamp
from tests.entrypoints.graphql.schema_client import Schema
from tests.entrypoints.http.api import Api
from tests.entrypoints.http.validation.test_models import peopled

PAGE = (Path(__file__).parents[3] / "docs" / "graphql.md").read_text()
QUESTIONS = re.findall(r"```graphql\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("question", QUESTIONS)
def test_questions_can_be_asked(api: Api, asked: Schema, question: str) -> None:
    peopled(api)
    then: dict[str, Any] = {"then": stamp(api.clock.at)} if "$then" in question else {}
    assert asked.ask(question, **then).errors is None


def test_there_are_questions() -> None:
    assert len(QUESTIONS) >= 3
