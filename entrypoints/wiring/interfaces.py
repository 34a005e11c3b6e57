"""What HTTP, gRPC and GraphQL are given besides the use cases."""

import hashlib

from dependency_injector import providers

from adapters.tokens.admin_token import AdminToken
from entrypoints.grpc.server.call_limits import Calls
from entrypoints.interfaces.event_streams import EventStreams
from entrypoints.wiring.foundation import Ground
from entrypoints.wiring.policies import Reactions


def _page_secret(token: AdminToken) -> bytes:
    # Derived, so that a page token outlives a restart without another secret to keep.
    return hashlib.sha256(b"page tokens\0" + token.secret.encode()).digest()


class Interfaces(Reactions):
    page_secret = providers.Singleton(_page_secret, Ground.identities)
    event_streams = providers.Singleton(
        EventStreams,
        Ground.settings.provided.max_event_streams,
        Ground.settings.provided.event_heartbeat_seconds,
    )

    grpc_calls = providers.Singleton(Calls, Ground.settings.provided.grpc_max_concurrent_calls)
