"""What HTTP, GraphQL and gRPC are given: the use cases, and what interfaces share beside them."""

from collections.abc import Callable, Sequence

from attrs import frozen

from application.evidence.filling import CacheFiller
from application.evidence.keeper import EvidenceKeeper
from application.evidence.sifting import Sieve
from application.evidence.standing import EvidenceStanding
from application.ports.caches import Caches
from application.ports.clock import Clock
from application.ports.dead_letters import DeadLetters
from application.ports.drafts import Generations
from application.ports.feed import Feed
from application.projections.progress import Progress
from application.projections.projection import Projection
from application.reads import Reads
from application.set_aside_facts import SetAsideFacts
from application.use_cases import UseCases
from entrypoints.interfaces.callers import Identities
from entrypoints.interfaces.event_streams import EventStreams
from entrypoints.settings import Settings


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
    dead_letters: DeadLetters
    caches: Caches
    evidence_standing: EvidenceStanding
    evidence_filler: CacheFiller
    evidence_keeper: EvidenceKeeper


@frozen
class Dependencies:
    """A callable opens its part when it is first called, so that describing an API opens none."""

    settings: Settings
    use_cases: Callable[[], UseCases]
    reads: Callable[[], Reads]
    operations: Callable[[], Operations]
    identities: Callable[[], Identities]
    page_secret: Callable[[], bytes]
    event_streams: Callable[[], EventStreams]
    clock: Callable[[], Clock]
    sieve: Callable[[], Sieve]
    new_id: Callable[[], str]
