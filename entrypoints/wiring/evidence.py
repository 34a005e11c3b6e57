"""Evidence: how it is kept, shown, pinned and looked after."""

from dependency_injector import providers

from application.evidence.alone import Alone
from application.evidence.archive_care import CompactEvidence, CountEvidence, ForgetEvidence
from application.evidence.damage_met import DamageMet
from application.evidence.filling import CacheFiller
from application.evidence.keeper import EvidenceKeeper
from application.evidence.pins import PinnedEvidence
from application.evidence.putting import PutEvidence
from application.evidence.reading import ListEvidence, ReadEvidence
from application.evidence.rebuilding import RebuildEvidence, RefillCache
from application.evidence.sifting import Sieve
from application.evidence.standing import EvidenceStanding
from application.evidence.upkeep import EvidenceUpkeep
from application.evidence.work_parts import UNTOLD
from entrypoints.grpc.sifting.here import SiftHere
from entrypoints.logs import evidence_changed, evidence_waits
from entrypoints.wiring.engines import Engines
from entrypoints.wiring.events_out import EventsOut
from entrypoints.wiring.ground import Ground
from entrypoints.wiring.read_models import ReadModels
from entrypoints.wiring.reading import Reading


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
        Ground.settings.provided.evidence_queue,
        standing=evidence_standing,
    )
    evidence_pins = providers.Singleton(
        PinnedEvidence, Reading.strong_incident_board, ReadModels.streams
    )

    # In and out
    sieve = providers.Singleton(Sieve, Ground.settings.provided.evidence_pass_rate)
    sift_evidence = providers.Singleton(SiftHere, sieve)
    put_evidence = providers.Singleton(PutEvidence, evidence_keeper, Ground.access, Ground.clock)
    evidence_asked_for = providers.Singleton(DamageMet, Engines.evidence_archive, evidence_standing)
    read_evidence = providers.Singleton(
        ReadEvidence,
        evidence_asked_for,
        Engines.evidence_cache,
        Ground.access,
        Ground.clock,
        Engines.evidence_telling,
        ReadModels.kept_for.evidence,
    )
    list_evidence = providers.Singleton(
        ListEvidence,
        evidence_asked_for,
        Engines.evidence_cache,
        evidence_filler,
        Ground.access,
        Ground.clock,
        ReadModels.kept_for.evidence,
    )

    # Looked after
    evidence_alone = providers.Singleton(Alone, Engines.hand_over_leases)
    refill_cache = providers.Singleton(
        RefillCache,
        Engines.evidence_archive,
        Engines.evidence_cache,
        evidence_filler,
        evidence_pins,
        Ground.clock,
        ReadModels.kept_for.evidence,
    )
    evidence_upkeep = providers.Singleton(
        EvidenceUpkeep,
        Engines.evidence_archive,
        Engines.evidence_cache,
        evidence_filler,
        evidence_alone,
        providers.Callable(lambda refill: lambda: refill(UNTOLD), refill_cache),
        on_trouble=providers.Object(evidence_waits),
        standing=evidence_standing,
        look_again=evidence_asked_for.provided.look_again,
    )
    rebuild_evidence = providers.Singleton(
        RebuildEvidence, refill_cache, evidence_filler, evidence_alone, Ground.access
    )
    count_evidence = providers.Singleton(CountEvidence, Engines.evidence_archive, Ground.access)
    compact_evidence = providers.Singleton(
        CompactEvidence,
        Engines.evidence_archive,
        evidence_upkeep,
        evidence_alone,
        Ground.access,
    )
    forget_evidence = providers.Singleton(
        ForgetEvidence,
        Engines.evidence_archive,
        evidence_pins,
        evidence_upkeep,
        evidence_alone,
        Ground.access,
        Ground.clock,
        ReadModels.kept_for.evidence,
    )
