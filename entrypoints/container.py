"""Who is given what. The only module that knows every name."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import cache, partial
from pathlib import Path

from dependency_injector import containers, providers

from adapters.blobs.opening import open_blobs
from adapters.blobs.store import BlobStore
from adapters.dynamodb.connecting import table_client
from adapters.dynamodb.engine import DynamoEngine
from adapters.dynamodb.leases import DynamoLeaseBoard
from adapters.dynamodb.log import DynamoLog
from adapters.dynamodb.opening import Location, prepare, table_at
from adapters.dynamodb.row_tables import RowTables
from adapters.dynamodb.snapshots import DynamoSnapshots
from adapters.eventstore.feed import LogFeed, RecentFeed
from adapters.eventstore.history import LogHistory
from adapters.eventstore.mapper import Mapper
from adapters.eventstore.people import SealedPeople
from adapters.eventstore.sealing import Seals
from adapters.eventstore.snapshots import Snapshots
from adapters.eventstore.streams import LoggedStreams
from adapters.eventstore.telling import LogFactsTold
from adapters.jsonpath.payloads import JsonPathPayloads
from adapters.keyfile.key_file import KeyFile
from adapters.leases.shared import SharedLeases
from adapters.memory.drafts import MemoryDrafts
from adapters.memory.engine import MemoryEngine
from adapters.memory.keys import MemoryKeys
from adapters.memory.leases import OwnLeases
from adapters.memory.log import MemoryLog
from adapters.memory.scratch import MemoryScratches
from adapters.memory.snapshots import MemorySnapshots
from adapters.re2.patterns import Re2Patterns
from adapters.sqlite.database import Database
from adapters.sqlite.draft_files import DraftFiles
from adapters.sqlite.engine import SqliteEngine
from adapters.sqlite.folder_lock import FolderLock
from adapters.sqlite.log import SqliteLog
from adapters.sqlite.snapshots import SqliteSnapshots
from adapters.system.clock import SystemClock
from adapters.system.ulids import Ulids
from adapters.tables.cards import TableCards
from adapters.tables.catalogue import BESIDE_READ_MODELS, CATALOGUE
from adapters.tables.dead_letters import TableDeadLetters
from adapters.tables.directory import TableDirectory
from adapters.tables.drafts import FoldHere, TableDrafts
from adapters.tables.generations import Fixed, GenerationTables
from adapters.tables.hot_datasets import HotDatasets
from adapters.tables.incident_board import TableIncidentBoard
from adapters.tables.lineage_graph import TableLineageGraph
from adapters.tables.origin import FilledOtherwise, Origin
from adapters.tables.pointers import Pointers
from adapters.tables.registry import TableRegistry
from adapters.tables.resolution_map import TableResolutionMap
from adapters.tables.signal_board import TableSignalBoard
from adapters.tables.strong import StrongTables
from adapters.tables.table_generations import PAGE, TableGenerations
from adapters.tokens.admin_token import TOKEN_FILE, AdminAccess, AdminToken, kept_token
from application.blast_radius import MeasureBlastRadius, ReadBlastRadius
from application.boards import Boards
from application.dataset_reads import ListDatasets, ListVersions, ReadDataset, ReadDatasets
from application.datasets import RegisterDataset, RestoreDataset, RetireDataset, UpdateDataset
from application.dead_letters import (
    DropDeadLetter,
    ListDeadLetters,
    ReadDeadLetter,
    ResendDeadLetter,
)
from application.errors import Unavailable
from application.events_out.announcements import Announcements
from application.events_out.listening import ListenToEvents
from application.events_out.outbox import Outbox
from application.impact import ReadImpact
from application.incident_reads import ListIncidents, ReadIncident, ReadIncidents, ReadTimeline
from application.incidents import (
    ChangeIncident,
    MergeIncident,
    OpenIncident,
    ReopenIncident,
    SnoozeIncident,
    SplitIncident,
)
from application.lineage import DeclareLineage, ReadReaders, ReadWriters
from application.past.past import Past
from application.people import ErasePerson
from application.policies.auto_resolve import AutoResolve
from application.policies.link_signals import LinkSignals
from application.policies.policy import Policy
from application.policies.relapse import ReopenOnRelapse
from application.policies.runner import PolicyRunner
from application.policies.snooze import EndSnoozes
from application.policies.watched import Watched
from application.ports.cards import Cards
from application.ports.clock import Clock
from application.ports.feed import Feed
from application.ports.leases import Leases
from application.ports.streams import Streams
from application.projections.dead_letters import DeadLetterCards
from application.projections.directory import StreamDirectory
from application.projections.handing_over import HandOver
from application.projections.incident_board import IncidentCards
from application.projections.lineage_index import LineageCards
from application.projections.progress import Progress, Reached
from application.projections.projection import Projection
from application.projections.registry import DatasetCards
from application.projections.resolution_map import RuleCards
from application.projections.runner import Runner
from application.projections.signal_board import SignalCards
from application.projections.watcher import Watcher
from application.read_your_writes import FollowedStreams, OwnWrites, Twins
from application.reads import Reads
from application.rebuild import Rebuild
from application.resolution import AddRule, ChangeRule, ListRules, RemoveRule, ResolveDataset
from application.set_aside_facts import ListSetAside, SetAsideFacts
from application.signal_reads import ListNotOk, ReadHealth, ReadHistory, ReadSignal, ReadSignals
from application.signals import UpdateSignal, UpdateSignals
from application.sweeping import Sweeper
from application.verify import Verify
from domain.kept_for import KeptFor
from entrypoints.events_out import Sinks, manners, sinks, types_wanted
from entrypoints.interfaces.event_streams import EventStreams
from entrypoints.logs import (
    event_set_aside,
    events_wait,
    fact_set_aside,
    leftovers_swept,
    leftovers_wait,
    policies_wait,
    projections_wait,
)
from entrypoints.settings import Engine, Settings
from entrypoints.tables.declared import log_table

STORE_FILE = "statestore.db"
KEY_FILE = "personal-keys.json"
DRAFTS = "drafts"

BETWEEN_APPENDS = 32
"""Rows of a rebuild in one write: appends wait for the same writer."""

NOT_LISTED_YET = 10_000
"""Facts that an index of DynamoDB may lag behind: seconds under the heaviest load, minutes else."""

STILL_READ = timedelta(minutes=2)
"""Longer than any other process takes to learn of a new generation and to end a call, clocks that
differ included."""


def store_file(settings: Settings) -> Path:
    """The one file of the embedded engine."""
    return settings.data_dir / STORE_FILE


def _database(settings: Settings) -> Database:
    return Database.open(store_file(settings), busy_timeout=settings.busy_timeout_seconds)


def log_location(settings: Settings) -> Location:
    return Location(settings.dynamodb_table, settings.dynamodb_endpoint_url)


def blob_store(settings: Settings) -> BlobStore | None:
    """None unless one is set: a folder of this process is none that others could read."""
    return None if settings.blobs is None else open_blobs(settings.blobs)


def row_tables(settings: Settings) -> RowTables:
    client = partial(table_client, endpoint_url=settings.dynamodb_endpoint_url)
    return RowTables(
        cache(client), settings.table_prefix, settings.create_tables, settings.provisioned_tables
    )


def key_file(settings: Settings) -> Path:
    """Where the keys of personal data lie."""
    return settings.key_file or settings.data_dir / KEY_FILE


def _opened_keys(settings: Settings, log: SqliteLog | DynamoLog) -> KeyFile:
    """Raises Unavailable if there are facts, and the file they were sealed with is gone."""
    path = key_file(settings)
    if log.head_now() and not path.exists():
        said = f"{path} is missing, and facts were sealed with it: restore it from a copy"
        raise Unavailable("the key file", said)
    return KeyFile.open(path)


def _admin_token(settings: Settings) -> AdminToken:
    """The folder is there and ours by now: whoever serves opens the store first."""
    if settings.admin_token is not None:
        return AdminToken(settings.admin_token.get_secret_value(), generated=False)
    if settings.engine is Engine.MEMORY:
        return AdminToken(Ulids().text(), generated=True)
    return AdminToken(kept_token(settings.data_dir / TOKEN_FILE), generated=True)


def _page_secret(token: AdminToken) -> bytes:
    # Derived, so that a page token outlives a restart without another secret to keep.
    return hashlib.sha256(b"page tokens\0" + token.secret.encode()).digest()


def _leases(log: DynamoLog, me: Callable[[], str]) -> Leases:
    return SharedLeases(DynamoLeaseBoard(log.table, log.keys), me())


def _led_elsewhere(progress: Progress) -> Callable[[str, int], None]:
    """Takes note of how far tables are that are read from now on, of those that are followed."""

    def moved(projection: str, reached: int) -> None:
        if projection in progress.all():
            progress.moved(projection, Reached(reached))

    return moved


def _folded_anew(kept_for: KeptFor) -> Sequence[Projection]:
    """What answers about the past are folded with."""
    return (
        SignalCards(kept=kept_for.signals),
        DatasetCards(),
        RuleCards(),
        LineageCards(),
        IncidentCards(kept=kept_for.incidents),
    )


def _projections(kept_for: KeptFor) -> Sequence[Projection]:
    return (*_folded_anew(kept_for), StreamDirectory(), DeadLetterCards())


def projections_by_name(settings: Settings) -> Mapping[str, Projection]:
    return {one.name: one for one in _projections(settings.kept_for)}


def draft_files(settings: Settings) -> DraftFiles:
    return DraftFiles(settings.data_dir / DRAFTS)


def _outboxes(
    sinks: Sinks,
    feed: Feed,
    announcements: Announcements,
    cards: Cards,
    streams: Streams,
    leases: Leases,
    progress: Progress,
    clock: Clock,
    settings: Settings,
) -> Sequence[Outbox]:
    return [
        Outbox(
            sink,
            feed,
            announcements,
            cards,
            streams,
            leases,
            progress,
            clock,
            manners(settings),
            types_wanted(sink),
            events_wait,
            event_set_aside,
        )
        for sink in sinks.values()
    ]


def _policy_runners(
    policies: Sequence[Policy],
    feed: Feed,
    cards: Cards,
    boards: Progress,
    progress: Progress,
    clock: Clock,
    leases: Leases,
    looks_back: int,
) -> Sequence[PolicyRunner]:
    return [
        PolicyRunner(
            policy, feed, cards, boards, progress, clock, leases, policies_wait, looks_back
        )
        for policy in policies
    ]


class Container(containers.DeclarativeContainer):
    settings: providers.Dependency[Settings] = providers.Dependency(instance_of=Settings)
    engine_name = providers.Callable(lambda settings: settings.engine.value, settings)

    # The machine
    clock = providers.Singleton(SystemClock)
    ulids = providers.Singleton(Ulids)
    new_id = ulids.provided.text
    payloads = providers.Singleton(JsonPathPayloads)
    patterns = providers.Singleton(Re2Patterns)

    # Who may do what
    identities = providers.Singleton(_admin_token, settings)
    access = providers.Singleton(AdminAccess)
    page_secret = providers.Singleton(_page_secret, identities)

    # What is kept
    database = providers.Singleton(_database, settings)
    folder = providers.Singleton(FolderLock.take, settings.provided.data_dir)
    blobs = providers.Singleton(blob_store, settings)
    log = providers.Selector(
        engine_name,
        embedded=providers.Singleton(SqliteLog, database, now=clock.provided.now),
        dynamodb=providers.Singleton(
            DynamoLog,
            providers.Singleton(lambda settings: table_at(log_location(settings)), settings),
            now=clock.provided.now,
            blobs=blobs,
        ),
        memory=providers.Singleton(MemoryLog, now=clock.provided.now),
    )
    keys = providers.Selector(
        engine_name,
        embedded=providers.Singleton(_opened_keys, settings, log),
        dynamodb=providers.Singleton(_opened_keys, settings, log),
        memory=providers.Singleton(MemoryKeys),
    )
    snapshot_store = providers.Selector(
        engine_name,
        embedded=providers.Singleton(SqliteSnapshots, database),
        dynamodb=providers.Singleton(DynamoSnapshots, log),
        memory=providers.Singleton(MemorySnapshots),
    )
    row_tables = providers.Singleton(row_tables, settings)
    # Every generation of every table; whoever reads or writes goes through `table_engine`.
    bare_tables = providers.Selector(
        engine_name,
        embedded=providers.Singleton(SqliteEngine, database),
        dynamodb=providers.Singleton(
            DynamoEngine,
            log.provided.table.transport,
            row_tables,
            blobs=blobs,
            now=clock.provided.now,
        ),
        memory=providers.Singleton(MemoryEngine),
    )
    rows_at_once = providers.Selector(
        engine_name,
        embedded=providers.Object(BETWEEN_APPENDS),
        dynamodb=providers.Object(PAGE),
        memory=providers.Object(PAGE),
    )
    facts_not_listed = providers.Selector(
        engine_name,
        embedded=providers.Object(0),
        dynamodb=providers.Object(NOT_LISTED_YET),
        memory=providers.Object(0),
    )
    generations_kept = providers.Selector(
        engine_name,
        embedded=providers.Object(timedelta()),
        dynamodb=providers.Object(STILL_READ),
        memory=providers.Object(timedelta()),
    )
    progress = providers.Singleton(Progress)
    pointers = providers.Singleton(
        Pointers, bare_tables, clock, providers.Callable(_led_elsewhere, progress)
    )
    table_engine = providers.Singleton(GenerationTables, bare_tables, pointers)
    # That one leads to the generation which serves.
    strong_tables = providers.Singleton(StrongTables, table_engine, Fixed({}))

    # Who does what, where several processes share the tables
    leases = providers.Selector(
        engine_name,
        embedded=providers.Singleton(OwnLeases),
        dynamodb=providers.Singleton(_leases, log, new_id),
        memory=providers.Singleton(OwnLeases),
    )
    # Apart from those that are spread among processes: what was begun is not given away.
    hand_over_leases = providers.Selector(
        engine_name,
        embedded=providers.Singleton(OwnLeases),
        dynamodb=providers.Singleton(_leases, log, new_id),
        memory=providers.Singleton(OwnLeases),
    )

    # Facts
    seals = providers.Singleton(Seals, keys)
    mapper = providers.Singleton(Mapper.of_catalogue, seals)
    log_feed = providers.Singleton(LogFeed, log, mapper)
    feed = providers.Singleton(RecentFeed, log_feed)
    snapshots = providers.Singleton(
        Snapshots.of_catalogue, snapshot_store, seals, settings.provided.snapshot_every
    )
    logged_streams = providers.Singleton(
        LoggedStreams,
        log,
        mapper,
        snapshots,
        ulids.provided.raw,
        settings.provided.cached_streams,
    )

    # Read models
    kept_for = settings.provided.kept_for
    own_writes = providers.Singleton(
        OwnWrites, progress, patience=settings.provided.read_patience_seconds
    )
    streams = providers.Singleton(FollowedStreams, logged_streams, own_writes)
    hot_datasets = providers.Singleton(HotDatasets, settings.provided.hot_patterns)
    cards = providers.Singleton(TableCards, table_engine, seals, hot_datasets)
    projections = providers.Callable(_projections, kept_for)
    runner = providers.Singleton(
        Runner,
        projections,
        feed,
        cards,
        progress,
        on_trouble=providers.Object(projections_wait),
        leases=leases,
        on_set_aside=providers.Object(fact_set_aside),
    )
    projection_names = providers.Callable(
        lambda projections: [one.name for one in projections], projections
    )
    set_aside_facts = providers.Singleton(SetAsideFacts, projection_names, cards)
    list_set_aside = providers.Singleton(ListSetAside, set_aside_facts, access)
    watcher = providers.Singleton(
        Watcher,
        projection_names,
        cards,
        progress,
        providers.Callable(lambda runner: lambda: runner.folded_here, runner),
        providers.Object(projections_wait),
    )
    board = providers.Singleton(TableSignalBoard, table_engine, clock, hot_datasets)
    incident_board = providers.Singleton(TableIncidentBoard, table_engine, seals, clock)
    registry = providers.Singleton(TableRegistry, table_engine, seals)
    resolution_map = providers.Singleton(TableResolutionMap, table_engine)
    lineage_graph = providers.Singleton(TableLineageGraph, table_engine, clock)
    # What was waited for is read from these, and so is what decisions rest on.
    strong_board = providers.Singleton(TableSignalBoard, strong_tables, clock, hot_datasets)
    strong_incident_board = providers.Singleton(TableIncidentBoard, strong_tables, seals, clock)
    strong_registry = providers.Singleton(TableRegistry, strong_tables, seals)
    strong_resolution_map = providers.Singleton(TableResolutionMap, strong_tables)
    strong_boards = providers.Singleton(
        Boards,
        strong_board,
        strong_incident_board,
        strong_registry,
        strong_resolution_map,
        providers.Singleton(TableLineageGraph, strong_tables, clock),
        streams,
        own_writes,
    )
    boards = providers.Singleton(
        Boards,
        board,
        incident_board,
        registry,
        resolution_map,
        lineage_graph,
        streams,
        own_writes,
        strong=strong_boards,
    )

    # The past
    history = providers.Singleton(LogHistory, log, mapper)
    past = providers.Factory(
        Past,
        providers.Singleton(_folded_anew, kept_for),
        history,
        providers.Singleton(TableDirectory, strong_tables),
        providers.Singleton(MemoryScratches, seals),
        progress,
        settings.provided.read_patience_seconds,
    )
    reads = providers.Singleton(Reads, boards, own_writes, feed, history, past.provider, clock)

    sweeper = providers.Singleton(
        Sweeper,
        bare_tables,
        clock,
        on_swept=providers.Object(leftovers_swept),
        on_trouble=providers.Object(leftovers_wait),
    )

    # Read models anew
    generations = providers.Singleton(
        TableGenerations,
        bare_tables,
        pointers,
        seals,
        rows_at_once,
        hot_datasets,
        generations_kept,
    )
    draft_places = providers.Selector(
        engine_name,
        embedded=providers.Singleton(draft_files, settings),
        dynamodb=providers.Singleton(draft_files, settings),
        memory=providers.Singleton(MemoryDrafts),
    )
    by_name = providers.Callable(projections_by_name, settings)
    fold_here = providers.Singleton(FoldHere, draft_places, log_feed, by_name, seals, hot_datasets)
    # A server has it done by a process apart.
    draft_folder = providers.Callable(lambda here: here, fold_here)
    drafts = providers.Singleton(
        TableDrafts, draft_places, draft_folder, fold_here.provided.folding, generations, clock
    )
    hand_over = providers.Singleton(
        HandOver, by_name, log_feed, cards, runner.provided.at_rest, hand_over_leases
    )
    rebuild = providers.Singleton(Rebuild, drafts, hand_over, access)
    verify = providers.Singleton(
        Verify,
        drafts,
        generations,
        cards,
        providers.Singleton(LogFactsTold, log, mapper),
        hand_over,
        runner.provided.at_rest,
        access,
    )

    # Signals
    horizon = providers.Callable(
        lambda settings: timedelta(hours=settings.signal_horizon_hours), settings
    )
    update_signal = providers.Singleton(UpdateSignal, streams, access, clock, horizon)
    update_signals = providers.Singleton(UpdateSignals, update_signal)
    read_signal = providers.Singleton(ReadSignal, boards, access)
    read_signals = providers.Singleton(ReadSignals, boards, access)
    read_health = providers.Singleton(ReadHealth, boards, access)
    list_not_ok = providers.Singleton(ListNotOk, boards, access)
    read_history = providers.Singleton(ReadHistory, boards, access)

    # Incidents
    reopened_within = providers.Callable(
        lambda settings: timedelta(hours=settings.reopen_window_hours), settings
    )
    change_incident = providers.Singleton(ChangeIncident, streams, access, clock, reopened_within)
    reopen_incident = providers.Singleton(ReopenIncident, change_incident)
    snooze_incident = providers.Singleton(SnoozeIncident, change_incident)
    merge_incident = providers.Singleton(MergeIncident, streams, access, clock)
    split_incident = providers.Singleton(SplitIncident, streams, access, clock, kept_for.incidents)
    read_incident = providers.Singleton(ReadIncident, boards, access, kept_for.incidents)
    read_incidents = providers.Singleton(ReadIncidents, boards, access)
    list_incidents = providers.Singleton(ListIncidents, boards, access)
    read_timeline = providers.Singleton(ReadTimeline, boards, access)

    # Datasets
    register_dataset = providers.Singleton(RegisterDataset, streams, access, patterns)
    update_dataset = providers.Singleton(UpdateDataset, streams, access, patterns)
    retire_dataset = providers.Singleton(RetireDataset, streams, access)
    restore_dataset = providers.Singleton(RestoreDataset, streams, access)
    read_dataset = providers.Singleton(ReadDataset, boards, access)
    read_datasets = providers.Singleton(ReadDatasets, boards, access)
    list_datasets = providers.Singleton(ListDatasets, boards, access)
    list_versions = providers.Singleton(ListVersions, boards, access)

    # Resolution
    add_rule = providers.Singleton(AddRule, streams, access, payloads)
    change_rule = providers.Singleton(ChangeRule, streams, access, payloads)
    remove_rule = providers.Singleton(RemoveRule, streams, access)
    list_rules = providers.Singleton(ListRules, boards, access)
    resolve_dataset = providers.Singleton(
        ResolveDataset,
        providers.Singleton(Twins, resolution_map, strong_resolution_map),
        providers.Singleton(Twins, registry, strong_registry),
        access,
        payloads,
        patterns,
        own_writes,
    )

    # Lineage
    declare_lineage = providers.Singleton(DeclareLineage, streams, access, clock, kept_for.lineage)
    read_writers = providers.Singleton(ReadWriters, boards, access)
    read_readers = providers.Singleton(ReadReaders, boards, access)
    read_impact = providers.Singleton(ReadImpact, boards, access)

    # Incidents and what they reach
    measure_blast_radius = providers.Singleton(MeasureBlastRadius, read_impact)
    open_incident = providers.Singleton(
        OpenIncident, streams, access, clock, new_id, measure_blast_radius
    )
    read_blast_radius = providers.Singleton(ReadBlastRadius, boards, access)

    # What reacts
    policy_progress = providers.Singleton(Progress)
    watched = providers.Factory(Watched, streams, strong_incident_board)
    policies = providers.List(
        providers.Singleton(LinkSignals, streams, watched),
        providers.Singleton(AutoResolve, streams, watched, clock),
        providers.Singleton(
            ReopenOnRelapse, streams, strong_board, progress, clock, reopened_within
        ),
        providers.Singleton(EndSnoozes, streams, strong_incident_board),
    )
    policy_runners = providers.Singleton(
        _policy_runners,
        policies,
        feed,
        cards,
        progress,
        policy_progress,
        clock,
        leases,
        facts_not_listed,
    )

    # Events out
    announcements = providers.Singleton(Announcements, logged_streams)
    sinks = providers.Singleton(sinks, settings, clock)
    outbox_progress = providers.Singleton(Progress)
    outboxes = providers.Singleton(
        _outboxes,
        sinks,
        feed,
        announcements,
        cards,
        logged_streams,
        leases,
        outbox_progress,
        clock,
        settings,
    )
    listen_to_events = providers.Singleton(ListenToEvents, feed, announcements, access)
    event_streams = providers.Singleton(
        EventStreams, settings.provided.event_streams, settings.provided.event_heartbeat_seconds
    )
    dead_letters = providers.Singleton(TableDeadLetters, table_engine)
    list_dead_letters = providers.Singleton(
        ListDeadLetters,
        providers.Singleton(
            Twins, dead_letters, providers.Singleton(TableDeadLetters, strong_tables)
        ),
        access,
        own_writes,
    )
    read_dead_letter = providers.Singleton(ReadDeadLetter, streams, feed, announcements, access)
    resend_dead_letter = providers.Singleton(
        ResendDeadLetter, read_dead_letter, streams, sinks, access
    )
    drop_dead_letter = providers.Singleton(DropDeadLetter, streams, access)

    # People
    people = providers.Singleton(SealedPeople, seals, logged_streams, feed, runner.provided.at_rest)
    erase_person = providers.Singleton(ErasePerson, people, access)


def build(settings: Settings) -> Container:
    return Container(settings=settings)


async def prepare_log(settings: Settings) -> None:
    """See to it that the log's table on DynamoDB is there. Raises Unavailable if it is not."""
    await prepare(
        log_location(settings), may_create=settings.create_tables, declared=log_table(settings)
    )


async def open_log(container: Container) -> None:
    """Open what cannot be opened without waiting; before anything else is asked for.

    Raises:
        FolderInUse: Another process owns the data folder.
        Unavailable: The log does not answer.
    """
    settings = container.settings()
    if settings.engine is Engine.DYNAMODB:
        container.folder()
        # What is wrong with the place for blobs is said before a table is made.
        await container.log().payloads.check()
        await prepare_log(settings)
        await container.log().open()


async def make_tables(container: Container) -> None:
    """All there should be, if they may be made; else those that are used must be there.

    Raises:
        Unavailable: Tables are missing and may not be made, or are others.
    """
    settings = container.settings()
    if settings.engine is Engine.DYNAMODB:
        beside = BESIDE_READ_MODELS if settings.create_tables else ()
        await container.bare_tables().ensure([*CATALOGUE, *beside])


async def open_tables(container: Container) -> None:
    """See to it that the read models' tables are there, and filled from this log as settings say.

    Raises:
        Unavailable: They are missing, others, or filled otherwise, or do not answer.
    """
    engine, log = container.settings().engine, container.log()
    if engine is Engine.MEMORY:
        return
    tables = container.table_engine()
    await make_tables(container)
    # An embedded log is in the same file as its tables: it can be no other.
    log_id = log.identity.log_id if engine is Engine.DYNAMODB else "beside"
    origin = Origin(log_id, container.hot_datasets())
    names = [projection.name for projection in container.projections()]
    try:
        await origin.claim(tables, names, head=log.head)
    except FilledOtherwise as error:
        raise Unavailable("the store", str(error)) from error


async def close(container: Container) -> None:
    """Store what waits and let go of files and connections."""
    engine = container.settings().engine
    try:
        if engine is Engine.DYNAMODB:
            await container.snapshot_store().settle()
            await container.log().close()
            await container.log().table.transport.close()
    finally:
        if engine is Engine.DYNAMODB:
            container.folder().release()
        elif engine is Engine.EMBEDDED:
            container.database().close()
