"""What everything else stands on: settings, the machine, and who may do what."""

from dependency_injector import containers, providers

from adapters.jsonpath.payloads import JsonPathPayloads
from adapters.re2.patterns import Re2Patterns
from adapters.system.clock import SystemClock
from adapters.system.ulids import Ulids
from adapters.tokens.admin_token import TOKEN_FILE, AdminAccess, AdminToken, kept_token
from entrypoints.engines.engine import engine_of
from entrypoints.settings.loading import Settings


def _admin_token(settings: Settings) -> AdminToken:
    """The folder is there and ours by now: whoever serves opens the store first."""
    if settings.admin_token is not None:
        return AdminToken(settings.admin_token.get_secret_value(), generated=False)
    if not engine_of(settings).is_durable:
        return AdminToken(Ulids().text(), generated=True)
    return AdminToken(kept_token(settings.data_dir / TOKEN_FILE), generated=True)


class Ground(containers.DeclarativeContainer):
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
