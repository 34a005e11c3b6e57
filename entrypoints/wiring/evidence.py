"""Evidence: how it is kept, shown, pinned and looked after."""

from collections.abc import Awaitable, Callable

from dependency_injector import providers

from application.evidence.archive_maintenance import CompactEvidence, CountEvidence, ForgetEvidence
from application.evidence.cache_filler import CacheFiller
from application.evidence.cache_rebuild import (
    CacheRebuilt,
    RebuildEvidence,
    RefillCache,
    RenewCache,
)
from application.evidence.commands import PutEvidence
from application.evidence.maintenance import LEASE, EvidenceUpkeep
from application.evidence.observed_faults import ArchiveAsked, CacheAsked, FaultsMet
from application.evidence.pins import PinnedEvidence
from application.evidence.progress import UNTOLD
from application.evidence.queries import ListEvidence, ReadEvidence
from application.evidence.sampling import Sieve
from application.evidence.status import EvidenceStanding
from application.evidence.verification import VerifyEvidence
from application.evidence.writer import EvidenceKeeper
from application.subscriptions.lease import Lease
from entrypoints.grpc.evidence_worker.in_process import SiftHere
from entrypoints.logs import evidence_changed, evidence_maintenance_failed
from entrypoints.wiring.delivery import EventsOut
from entrypoints.wiring.engines import Engines
from entrypoints.wiring.foundation import Ground
from entrypoints.wiring.read_models import ReadModels
from entrypoints.wiring.reading import Reading


def _untold(work: RefillCache | RenewCache) -> Callable[[], Awaitable[CacheRebuilt]]:
    return lambda: work(UNTOLD)


class EvidenceParts(EventsOut):
    evidence_filler = providers.Singleton(
        CacheFiller,
        Engines.evidence_archive,
        Engines.evidence_cache,
        ReadModels.kept_for.evidence,
    )
    evidence_standing = providers.Singleton(EvidenceStanding, providers.Object(evidence_changed))
    evidence_keeper = providers.Singleton(
        EvidenceKeeper,
        Engines.evidence_archive,
        evidence_filler,
        Ground.settings.provided.evidence_queue_size,
        standing=evidence_standing,
    )
    evidence_pins = providers.Singleton(
        PinnedEvidence, Reading.strong_incident_board, ReadModels.streams
    )

    # In and out
    sieve = providers.Singleton(Sieve, Ground.settings.provided.evidence_pass_rate)
    sift_evidence = providers.Singleton(SiftHere, sieve)
    put_evidence = providers.Singleton(PutEvidence, evidence_keeper, Ground.access, Ground.clock)
    archive_damage_met = providers.Singleton(FaultsMet, evidence_standing.provided.met)
    archive_asked = providers.Singleton(ArchiveAsked, Engines.evidence_archive, archive_damage_met)
    cache_asked = providers.Singleton(
        CacheAsked, Engines.evidence_cache, evidence_standing.provided.cache_unread
    )
    read_evidence = providers.Singleton(
        ReadEvidence,
        archive_asked,
        cache_asked,
        Ground.access,
        Ground.clock,
        Engines.evidence_telling,
        ReadModels.kept_for.evidence,
    )
    list_evidence = providers.Singleton(
        ListEvidence,
        archive_asked,
        cache_asked,
        evidence_filler,
        Ground.access,
        Ground.clock,
        ReadModels.kept_for.evidence,
    )

    # Looked after
    evidence_lease = providers.Singleton(Lease, Engines.hand_over_leases, LEASE)
    refill_cache = providers.Singleton(
        RefillCache,
        Engines.evidence_archive,
        Engines.evidence_cache,
        evidence_filler,
        evidence_pins,
        Ground.clock,
        ReadModels.kept_for.evidence,
    )
    renew_cache = providers.Singleton(
        RenewCache, refill_cache, evidence_filler, Engines.evidence_cache
    )
    evidence_upkeep = providers.Singleton(
        EvidenceUpkeep,
        Engines.evidence_archive,
        Engines.evidence_cache,
        evidence_filler,
        evidence_lease,
        providers.Callable(_untold, refill_cache),
        providers.Callable(_untold, renew_cache),
        on_trouble=providers.Object(evidence_maintenance_failed),
        standing=evidence_standing,
        look_again=archive_damage_met.provided.look_again,
    )
    rebuild_evidence = providers.Singleton(
        RebuildEvidence, renew_cache, evidence_lease, Ground.access
    )
    verify_evidence = providers.Singleton(
        VerifyEvidence,
        Engines.evidence_archive,
        Engines.evidence_cache,
        renew_cache,
        evidence_lease,
        Ground.access,
        Ground.clock,
        Engines.evidence_telling,
        ReadModels.kept_for.evidence,
    )
    count_evidence = providers.Singleton(CountEvidence, Engines.evidence_archive, Ground.access)
    compact_evidence = providers.Singleton(
        CompactEvidence,
        Engines.evidence_archive,
        evidence_upkeep,
        evidence_lease,
        Ground.access,
    )
    forget_evidence = providers.Singleton(
        ForgetEvidence,
        Engines.evidence_archive,
        evidence_pins,
        evidence_upkeep,
        evidence_lease,
        Ground.access,
        Ground.clock,
        ReadModels.kept_for.evidence,
    )
