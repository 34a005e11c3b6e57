"""The container is written in parts: each instance must still be one whole, and its own."""

from typing import Any

import pytest
from attrs import fields
from dependency_injector import providers

from application.use_cases import UseCases
from entrypoints.container import Container, build
from entrypoints.settings.loading import Engine, Settings
from tests.application.store import StandingClock


@pytest.fixture
def container() -> Container:
    return build(Settings(engine=Engine.MEMORY))


def _reached(container: Container | type[Container]) -> set[providers.Provider[Any]]:
    reached = set(container.providers.values())
    for provider in container.providers.values():
        reached.update(provider.traverse())
    return reached


def test_every_part_refers_to_the_providers_of_its_own_container(container: Container) -> None:
    declared, other = _reached(Container), _reached(build(Settings(engine=Engine.MEMORY)))
    assert not _reached(container) & (declared | other)


def _refer_to(container: Container | type[Container]) -> dict[str, set[str]]:
    """By name; whoever referred to a copy of a provider would refer to none that has a name.

    A class that was made use of has a provider of itself besides.
    """
    names = {one: name for name, one in container.providers.items() if name != "__self__"}
    return {name: {names[to] for to in _from(one) if to in names} for one, name in names.items()}


def _from(provider: providers.Provider[Any]) -> set[providers.Provider[Any]]:
    return set(provider.traverse())


def test_a_provider_that_several_parts_refer_to_is_there_once(container: Container) -> None:
    assert _refer_to(container) == _refer_to(Container)


def test_what_one_part_is_given_in_its_place_reaches_all_others(container: Container) -> None:
    clock = StandingClock()
    container.clock.override(providers.Object(clock))
    for part in (
        container.strong_board,
        container.update_signal,
        container.sweeper,
        container.reads,
    ):
        assert part().clock is clock


def test_parts_share_what_there_is_one_of(container: Container) -> None:
    assert container.update_signal().streams is container.streams()
    assert container.read_signal().reads is container.reads()
    assert container.runner().progress is container.progress()
    assert container.rebuild().drafts is container.drafts()


def test_every_use_case_in_the_record_is_the_one_that_its_field_declares(
    container: Container,
) -> None:
    record = container.use_cases()
    declared = {one.name: one.type for one in fields(UseCases)}
    assert {name: type(getattr(record, name)) for name in declared} == declared
