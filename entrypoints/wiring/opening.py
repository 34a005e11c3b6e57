"""Opening a store before it is used, and closing it afterwards."""

from adapters.blobs.directory import DirectoryBlobs
from adapters.generations.origin import FilledOtherwise, Origin
from application.errors import Unavailable
from entrypoints.container import Container
from entrypoints.engines.engine import StorageEngine, engine_of


async def open_log(container: Container) -> None:
    """Open what cannot be opened without waiting; before anything else is asked for.

    Raises:
        FolderInUse: Another process owns the data folder.
        Unavailable: The log does not answer.
    """
    await _engine(container).open_log(container)


async def make_tables(container: Container) -> None:
    """Make the tables, if settings allow that; else those in use must exist. Raises Unavailable."""
    await _engine(container).make_tables(container)


async def open_tables(container: Container) -> None:
    """Check that the read models' tables exist and were filled from this log.

    Raises:
        Unavailable: They are missing, others, or filled otherwise, or do not answer.
    """
    engine, log = _engine(container), container.log()
    if not engine.is_durable:
        return
    tables = container.table_engine()
    await engine.make_tables(container)
    # An embedded log is in the same file as its tables: it can be no other.
    log_id = log.identity.log_id if engine.is_shared else "beside"
    origin = Origin(log_id, container.hot_datasets())
    names = [projection.name for projection in container.projections()]
    try:
        await origin.claim(tables, names, head=log.head)
    except FilledOtherwise as error:
        raise Unavailable("the store", str(error)) from error


async def open_archive(container: Container) -> None:
    """Check that evidence can be stored; a bucket is not asked yet.

    Raises:
        Unavailable: The folder cannot be made or written, or the place is none.
    """
    if _engine(container).is_durable:
        blobs = container.evidence_archive().objects.blobs
        if isinstance(blobs, DirectoryBlobs):
            await blobs.check()


async def close(container: Container) -> None:
    """Store what waits and close files and connections."""
    try:
        if container.settings().redis_url is not None and (shared := container.shared_cache()):
            await shared.close()
    finally:
        await _engine(container).close(container)


def _engine(container: Container) -> StorageEngine:
    return engine_of(container.settings())
