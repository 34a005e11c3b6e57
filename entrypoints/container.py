"""Who is given what. The only module that knows every name."""

import hashlib
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from dependency_injector import containers, providers

from adapters.blobs.opening import open_blobs
from adapters.blobs.store import BlobStore
from adapters.dynamodb.log import DynamoLog
from adapters.dynamodb.opening import Location, prepare, table_at
from adapters.dynamodb.snapshots import DynamoSnapshots
from adapters.eventstore.feed import LogFeed, RecentFeed
from adapters.eventstore.mapper import Mapper
from adapters.eventstore.people import SealedPeople
from adapters.eventstore.sealing import Seals
from adapters.eventstore.snapshots import Snapshots
from adapters.eventstore.streams import LoggedStreams
from adapters.jsonpath.payloads import JsonPathPayloads
from adapters.keyfile.key_file import KeyFile
from adapters.memory.engine import MemoryEngine
from adapters.memory.keys import MemoryKeys
from adapters.memory.leases import OwnLeases
from adapters.memory.log import MemoryLog
from adapters.memory.snapshots import MemorySnapshots
from adapters.re2.patterns import Re2Patterns
from adapters.sqlite.database import Database
from adapters.sqlite.engine import SqliteEngine
from adapters.sqlite.followed_log import follow
from adapters.sqlite.log import SqliteLog
from adapters.sqlite.snapshots import SqliteSnapshots
from adapters.system.clock import SystemClock
from adapters.system.ulids import Ulids
from adapters.tables.cards import TableCards
from adapters.tables.dead_letters import TableDeadLetters
from adapters.tables.incident_board import TableIncidentBoard
from adapters.tables.lineage_graph import TableLineageGraph
from adapters.tables.registry import TableRegistry
from adapters.tables.resolution_map import TableResolutionMap
from adapters.tables.signal_board import TableSignalBoard
from adapters.tokens.admin_token import TOKEN_FILE, AdminAccess, AdminToken, kept_token
from application.blast_radius import MeasureBlastRadius, ReadBlastRadius
from application.dataset_reads import ListDatasets, ListVersions, ReadDataset
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
from application.incident_reads import ListIncidents, ReadIncident, ReadTimeline
from application.incidents import (
    ChangeIncident,
    MergeIncident,
    OpenIncident,
    ReopenIncident,
    SnoozeIncident,
    SplitIncident,
)
from application.lineage import DeclareLineage, ReadReaders, ReadWriters
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
from application.projections.incident_board import IncidentCards
from application.projections.lineage_index import LineageCards
from application.projections.progress import Progress
from application.projections.projection import Projection
from application.projections.registry import DatasetCards
from application.projections.resolution_map import RuleCards
from application.projections.runner import Runner
from application.projections.signal_board import SignalCards
from application.read_your_writes import FollowedStreams, OwnWrites
from application.resolution import AddRule, ChangeRule, ListRules, RemoveRule, ResolveDataset
from application.signal_reads import ListNotOk, ReadHealth, ReadHistory, ReadSignal
from application.signals import UpdateSignal, UpdateSignals
from entrypoints.events_out import Sinks, manners, sinks, types_wanted
from entrypoints.http.event_streams import EventStreams
from entrypoints.logs import (
    event_set_aside,
    events_wait,
    policies_wait,
    projections_wait,
    read_models_start_afresh,
)
from entrypoints.settings import Engine, Settings

STORE_FILE = "statestore.db"
READ_MODELS_FILE = "read-models.db"
KEY_FILE = "personal-keys.json"


def store_file(settings: Settings) -> Path:
    """The local file: all there is, or what can be folded again from the log elsewhere."""
    elsewhere = settings.engine is Engine.DYNAMODB
    return settings.data_dir / (READ_MODELS_FILE if elsewhere else STORE_FILE)


def _database(settings: Settings) -> Database:
    return Database.open(store_file(settings), busy_timeout=settings.busy_timeout_seconds)


def log_location(settings: Settings) -> Location:
    return Location(settings.dynamodb_table, settings.dynamodb_endpoint_url)


def blob_store(settings: Settings) -> BlobStore | None:
    """None unless one is set: a folder of this process is none that others could read."""
    return None if settings.blobs is None else open_blobs(settings.blobs)


def _followed_tables(database: Database, log: DynamoLog) -> SqliteEngine:
    """Tables in a local file that belong to this log. The log must be open."""
    if follow(database, log.identity.log_id, head=log.head_now()):
        read_models_start_afresh()
    return SqliteEngine(database)


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


def _projections() -> Sequence[Projection]:
    return (
        SignalCards(),
        DatasetCards(),
        RuleCards(),
        LineageCards(),
        IncidentCards(),
        DeadLetterCards(),
    )


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
) -> Sequence[PolicyRunner]:
    return [
        PolicyRunner(policy, feed, cards, boards, progress, clock, policies_wait)
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
    log = providers.Selector(
        engine_name,
        embedded=providers.Singleton(SqliteLog, database, now=clock.provided.now),
        dynamodb=providers.Singleton(
            DynamoLog,
            providers.Singleton(lambda settings: table_at(log_location(settings)), settings),
            now=clock.provided.now,
            blobs=providers.Singleton(blob_store, settings),
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
    table_engine = providers.Selector(
        engine_name,
        embedded=providers.Singleton(SqliteEngine, database),
        dynamodb=providers.Singleton(_followed_tables, database, log),
        memory=providers.Singleton(MemoryEngine),
    )

    # Facts
    seals = providers.Singleton(Seals, keys)
    mapper = providers.Singleton(Mapper.of_catalogue, seals)
    feed = providers.Singleton(RecentFeed, providers.Singleton(LogFeed, log, mapper))
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
    progress = providers.Singleton(Progress)
    own_writes = providers.Singleton(
        OwnWrites, progress, patience=settings.provided.read_patience_seconds
    )
    streams = providers.Singleton(FollowedStreams, logged_streams, own_writes)
    cards = providers.Singleton(TableCards, table_engine, seals)
    projections = providers.Callable(_projections)
    runner = providers.Singleton(
        Runner, projections, feed, cards, progress, on_trouble=providers.Object(projections_wait)
    )
    board = providers.Singleton(TableSignalBoard, table_engine, clock)
    incident_board = providers.Singleton(TableIncidentBoard, table_engine, seals, clock)
    registry = providers.Singleton(TableRegistry, table_engine, seals)
    resolution_map = providers.Singleton(TableResolutionMap, table_engine)
    lineage_graph = providers.Singleton(TableLineageGraph, table_engine, clock)

    # Signals
    horizon = providers.Callable(
        lambda settings: timedelta(hours=settings.signal_horizon_hours), settings
    )
    update_signal = providers.Singleton(UpdateSignal, streams, access, clock, horizon)
    update_signals = providers.Singleton(UpdateSignals, update_signal)
    read_signal = providers.Singleton(ReadSignal, board, access, own_writes)
    read_health = providers.Singleton(
        ReadHealth, board, registry, incident_board, access, own_writes
    )
    list_not_ok = providers.Singleton(ListNotOk, board, access, own_writes)
    read_history = providers.Singleton(ReadHistory, streams, access)

    # Incidents
    reopened_within = providers.Callable(
        lambda settings: timedelta(hours=settings.reopen_window_hours), settings
    )
    change_incident = providers.Singleton(ChangeIncident, streams, access, clock, reopened_within)
    reopen_incident = providers.Singleton(ReopenIncident, change_incident)
    snooze_incident = providers.Singleton(SnoozeIncident, change_incident)
    merge_incident = providers.Singleton(MergeIncident, streams, access, clock)
    split_incident = providers.Singleton(SplitIncident, streams, access, clock)
    read_incident = providers.Singleton(ReadIncident, streams, access)
    list_incidents = providers.Singleton(ListIncidents, incident_board, access, own_writes)
    read_timeline = providers.Singleton(ReadTimeline, streams, access)

    # Datasets
    register_dataset = providers.Singleton(RegisterDataset, streams, access, patterns)
    update_dataset = providers.Singleton(UpdateDataset, streams, access, patterns)
    retire_dataset = providers.Singleton(RetireDataset, streams, access)
    restore_dataset = providers.Singleton(RestoreDataset, streams, access)
    read_dataset = providers.Singleton(ReadDataset, registry, access, own_writes)
    list_datasets = providers.Singleton(ListDatasets, registry, access, own_writes)
    list_versions = providers.Singleton(ListVersions, registry, access, own_writes)

    # Resolution
    add_rule = providers.Singleton(AddRule, streams, access, payloads)
    change_rule = providers.Singleton(ChangeRule, streams, access, payloads)
    remove_rule = providers.Singleton(RemoveRule, streams, access)
    list_rules = providers.Singleton(ListRules, resolution_map, registry, access, own_writes)
    resolve_dataset = providers.Singleton(
        ResolveDataset, resolution_map, registry, access, payloads, patterns, own_writes
    )

    # Lineage
    declare_lineage = providers.Singleton(DeclareLineage, streams, access, clock)
    read_writers = providers.Singleton(ReadWriters, lineage_graph, access, own_writes)
    read_readers = providers.Singleton(ReadReaders, lineage_graph, access, own_writes)
    read_impact = providers.Singleton(ReadImpact, lineage_graph, registry, access, own_writes)

    # Incidents and what they reach
    measure_blast_radius = providers.Singleton(MeasureBlastRadius, read_impact)
    open_incident = providers.Singleton(
        OpenIncident, streams, access, clock, new_id, measure_blast_radius
    )
    read_blast_radius = providers.Singleton(ReadBlastRadius, read_incident, measure_blast_radius)

    # What reacts
    policy_progress = providers.Singleton(Progress)
    watched = providers.Factory(Watched, streams, incident_board)
    policies = providers.List(
        providers.Singleton(LinkSignals, streams, watched),
        providers.Singleton(AutoResolve, streams, watched, clock),
        providers.Singleton(ReopenOnRelapse, streams, board, progress, clock, reopened_within),
        providers.Singleton(EndSnoozes, streams, incident_board),
    )
    policy_runners = providers.Singleton(
        _policy_runners, policies, feed, cards, progress, policy_progress, clock
    )

    # Events out
    announcements = providers.Singleton(Announcements, logged_streams)
    sinks = providers.Singleton(sinks, settings, clock)
    leases = providers.Singleton(OwnLeases)
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
    list_dead_letters = providers.Singleton(ListDeadLetters, dead_letters, access, own_writes)
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


async def open_log(container: Container) -> None:
    """Open what cannot be opened without waiting; before anything else is asked for.

    Raises:
        FolderInUse: Another process owns the data folder.
        Unavailable: The log does not answer.
    """
    settings = container.settings()
    if settings.engine is Engine.DYNAMODB:
        container.database()
        await prepare(log_location(settings), may_create=settings.create_tables)
        await container.log().open()


async def close(container: Container) -> None:
    """Store what waits and let go of files and connections."""
    engine = container.settings().engine
    try:
        if engine is Engine.DYNAMODB:
            await container.snapshot_store().settle()
            await container.log().close()
            await container.log().table.transport.close()
    finally:
        if engine is not Engine.MEMORY:
            container.database().close()
