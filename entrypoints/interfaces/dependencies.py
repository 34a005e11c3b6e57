"""What HTTP, GraphQL and gRPC are given: the use cases, and what interfaces share beside them."""

from collections.abc import Callable, Sequence

from attrs import frozen

from application.caches.ports import Caches
from application.delivery.dead_letter_read_model import DeadLetterReadModel
from application.evidence.cache_filler import CacheFiller
from application.evidence.sampling import Sieve
from application.evidence.status import EvidenceStanding
from application.evidence.writer import EvidenceKeeper
from application.maintenance.generations import Generations
from application.ports.clock import Clock
from application.projections.progress import Progress
from application.projections.projection import Projection
from application.projections.quarantine import SetAsideFacts
from application.subscriptions.feed import Feed
from application.use_cases import UseCases
from entrypoints.interfaces.credentials import Identities
from entrypoints.interfaces.event_streams import EventStreams
from entrypoints.settings.loading import Settings


@frozen
class Operations:
    """The running parts of a store, for those who operate it."""

    engine: str
    clock: Clock
    feed: Feed
    projections: Sequence[Projection]
    progress: Progress
    policy_progress: Progress
    outbox_progress: Progress
    generations: Generations
    set_aside_facts: SetAsideFacts
    dead_letters: DeadLetterReadModel
    caches: Caches
    evidence_standing: EvidenceStanding
    evidence_filler: CacheFiller
    evidence_keeper: EvidenceKeeper


@frozen
class Dependencies:
    """A callable opens its part when it is first called, so that describing an API opens none."""

    settings: Settings
    use_cases: Callable[[], UseCases]
    operations: Callable[[], Operations]
    identities: Callable[[], Identities]
    page_secret: Callable[[], bytes]
    event_streams: Callable[[], EventStreams]
    clock: Callable[[], Clock]
    sieve: Callable[[], Sieve]
    new_id: Callable[[], str]
