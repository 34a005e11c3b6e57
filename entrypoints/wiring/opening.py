"""Opening a store before it is used, and closing it afterwards."""

from adapters.blobs.directory import DirectoryBlobs
from adapters.generations.origin import FilledOtherwise, Origin
from adapters.row_layouts.catalogue import BESIDE_READ_MODELS, CATALOGUE, EVIDENCE_CACHE
from application.errors import Unavailable
from entrypoints.cli.tables.declared import log_table
from entrypoints.container import Container
from entrypoints.settings.loading import Engine, Settings
from entrypoints.wiring.locations import log_location


async def prepare_log(settings: Settings) -> None:
    """See to it that the log's table on DynamoDB is there. Raises Unavailable if it is not."""
    from adapters.dynamodb.log.opening import prepare

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
        beside = BESIDE_READ_MODELS if settings.create_tables else (EVIDENCE_CACHE,)
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
    if engine is Engine.EMBEDDED:
        container.evidence_cache().open()
    # An embedded log is in the same file as its tables: it can be no other.
    log_id = log.identity.log_id if engine is Engine.DYNAMODB else "beside"
    origin = Origin(log_id, container.hot_datasets())
    names = [projection.name for projection in container.projections()]
    try:
        await origin.claim(tables, names, head=log.head)
    except FilledOtherwise as error:
        raise Unavailable("the store", str(error)) from error


async def open_archive(container: Container) -> None:
    """See to it that evidence can be kept; a bucket is not asked yet.

    Raises:
        Unavailable: The folder cannot be made or written, or the place is none.
    """
    if container.settings().engine is not Engine.MEMORY:
        blobs = container.evidence_archive().objects.blobs
        if isinstance(blobs, DirectoryBlobs):
            await blobs.check()


async def close(container: Container) -> None:
    """Store what waits and let go of files and connections."""
    engine = container.settings().engine
    try:
        if container.settings().redis_url is not None and (shared := container.shared_cache()):
            await shared.close()
        if engine is Engine.DYNAMODB:
            await container.snapshot_store().settle()
            await container.log().close()
            await container.log().table.transport.close()
    finally:
        if engine is Engine.DYNAMODB:
            container.folder().release()
        elif engine is Engine.EMBEDDED:
            container.evidence_cache().close()
            container.database().close()
