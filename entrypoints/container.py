"""Who is given what, all of it. `entrypoints.wiring` has the parts."""

from functools import partial

from entrypoints.interfaces.dependencies import Dependencies, Operations
from entrypoints.settings.loading import Settings
from entrypoints.wiring.interfaces import Interfaces


class Container(Interfaces):
    """Every part of a store, by name. Nothing is opened before it is asked for."""


def build(settings: Settings) -> Container:
    return Container(settings=settings)


def dependencies_of(container: Container) -> Dependencies:
    """What HTTP, GraphQL and gRPC are given of it."""
    return Dependencies(
        settings=container.settings(),
        use_cases=container.use_cases,
        operations=partial(_operations_of, container),
        identities=container.identities,
        page_secret=container.page_secret,
        event_streams=container.event_streams,
        clock=container.clock,
        sieve=container.sieve,
        new_id=container.ulids().text,
    )


def _operations_of(container: Container) -> Operations:
    return Operations(
        engine=container.engine_name(),
        clock=container.clock(),
        feed=container.feed(),
        projections=container.projections(),
        progress=container.progress(),
        policy_progress=container.policy_progress(),
        outbox_progress=container.outbox_progress(),
        generations=container.generations(),
        set_aside_facts=container.set_aside_facts(),
        dead_letters=container.dead_letters(),
        caches=container.caches(),
        evidence_standing=container.evidence_standing(),
        evidence_filler=container.evidence_filler(),
        evidence_keeper=container.evidence_keeper(),
    )
