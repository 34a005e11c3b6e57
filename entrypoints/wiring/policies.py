"""What the store does by itself when something happened."""

from collections.abc import Sequence

from dependency_injector import providers

from application.policies.auto_resolve import AutoResolve
from application.policies.link_signals import LinkSignals
from application.policies.open_incident_index import Watched
from application.policies.pin_evidence import PinEvidence
from application.policies.policy import Policy
from application.policies.relapse import ReopenOnRelapse
from application.policies.runner import PolicyHandler, policy_subscription
from application.policies.snooze import EndSnoozes
from application.ports.clock import Clock
from application.projections.progress import Progress
from application.subscriptions.subscription import Subscription, Subscriptions
from entrypoints.logs import policies_stalled
from entrypoints.wiring.engines import Engines
from entrypoints.wiring.evidence import EvidenceParts
from entrypoints.wiring.facts import Facts
from entrypoints.wiring.foundation import Ground
from entrypoints.wiring.read_models import ReadModels
from entrypoints.wiring.reading import Reading
from entrypoints.wiring.use_cases import UseCaseParts


def _policy_runners(
    policies: Sequence[Policy],
    subscriptions: Subscriptions,
    boards: Progress,
    clock: Clock,
    looks_back: int,
) -> Sequence[Subscription]:
    handlers = [PolicyHandler(policy, boards, clock, looks_back) for policy in policies]
    return [policy_subscription(one, subscriptions) for one in handlers]


class Reactions(UseCaseParts):
    policy_progress = providers.Singleton(Progress)
    watched = providers.Factory(Watched, ReadModels.streams, Reading.strong_incident_board)
    policies = providers.List(
        providers.Singleton(LinkSignals, ReadModels.streams, watched),
        providers.Singleton(AutoResolve, ReadModels.streams, watched, Ground.clock),
        providers.Singleton(
            ReopenOnRelapse,
            ReadModels.streams,
            Reading.strong_board,
            ReadModels.progress,
            Ground.clock,
            UseCaseParts.reopened_within,
        ),
        providers.Singleton(EndSnoozes, ReadModels.streams, Reading.strong_incident_board),
        providers.Singleton(
            PinEvidence,
            ReadModels.streams,
            EvidenceParts.evidence_pins,
            Engines.evidence_archive,
            Engines.evidence_cache,
        ),
    )
    policy_runners = providers.Singleton(
        _policy_runners,
        policies,
        providers.Singleton(
            Subscriptions,
            Facts.feed,
            ReadModels.cards,
            Engines.leases,
            policy_progress,
            providers.Object(policies_stalled),
        ),
        ReadModels.progress,
        Ground.clock,
        Engines.facts_not_listed,
    )
