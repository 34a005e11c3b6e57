"""
What surrounds a stored fact, apart from its place in the log.

    {"v": schema version, "by": sealed name, "k": [key ids], "cor": …, "cau": …, "tr": …}

Stream, version, position, event id and the moment of recording are the log's own columns. Tags
derive from the stream and are not stored.
"""

from collections.abc import Sequence

import orjson
from attrs import frozen

from adapters.eventstore.sealing.seals import Seals, key_id_of
from application.caller import Caller


@frozen
class Envelope:
    schema: int
    by: str
    key_ids: tuple[str, ...]
    correlation_id: str
    causation_id: str | None = None
    trace: str | None = None


def written(envelope: Envelope) -> bytes:
    fields = {
        "v": envelope.schema,
        "by": envelope.by,
        "k": envelope.key_ids,
        "cor": envelope.correlation_id,
        "cau": envelope.causation_id,
        "tr": envelope.trace,
    }
    return orjson.dumps({name: value for name, value in fields.items() if value})


def read(meta: bytes) -> Envelope:
    """Raises TypeError for a field that is not known."""
    return _envelope(**orjson.loads(meta))


def _envelope(
    v: int,
    by: str = "",
    k: tuple[str, ...] = (),
    cor: str = "",
    cau: str | None = None,
    tr: str | None = None,
) -> Envelope:
    return Envelope(v, by, tuple(k), cor, cau, tr)


def addressed(by: Caller, schema: int, key_ids: Sequence[str], seals: Seals) -> Envelope:
    """The envelope of what a caller causes."""
    name = seals.seal_name(by.principal)
    ids = dict.fromkeys((key_id_of(name), *key_ids))
    return Envelope(
        schema, name, tuple(filter(None, ids)), by.correlation_id, by.causation_id, by.trace
    )
