"""How the datasets are: a signal, all of a dataset, what is critical, and how it came about."""

from datetime import datetime
from typing import Annotated

import strawberry
from strawberry import UNSET

from application.violations import refuse_any
from domain.errors import NotFound, Violation
from domain.signal.evaluation import SignalStateEnum
from entrypoints.graphql.arguments import AsOf, MinPosition
from entrypoints.graphql.consistency import Found
from entrypoints.graphql.context import Info
from entrypoints.graphql.enums import Tier
from entrypoints.graphql.limits.list_limits import BOUNDED, gathered, limited
from entrypoints.graphql.signals.types import SignalState, SignalStateSnapshot
from entrypoints.interfaces.names import dataset_named, signal_named
from entrypoints.interfaces.timestamps import refuse_backwards

_AT_FIRST = 100


@strawberry.type
class SignalQueries:
    @strawberry.field(description="A signal; null if it was never evaluated.")
    async def signal_state(
        self,
        info: Info,
        dataset_urn: str,
        signal_type: str,
        as_of: AsOf = UNSET,
        min_position: MinPosition = UNSET,
    ) -> SignalState | None:
        context, found = info.context, list[Violation]()
        at = context.at(as_of, min_position, found)
        dataset, kind = dataset_named(dataset_urn, found), signal_named(signal_type, found)
        refuse_any(found)
        try:
            return SignalState.of(
                at.of(await context.use.read_signal(dataset, kind, demand=at.demand, by=context.by))
            )
        except NotFound:
            return None

    @strawberry.field(
        description="All signals of a dataset, by signal type. The error NOT_FOUND if it is not "
        "registered."
    )
    async def dataset_signals(
        self,
        info: Info,
        dataset_urn: str,
        as_of: AsOf = UNSET,
        min_position: MinPosition = UNSET,
    ) -> list[SignalState]:
        context, found = info.context, list[Violation]()
        at = context.at(as_of, min_position, found)
        dataset = dataset_named(dataset_urn, found)
        refuse_any(found)
        health = at.of(await context.use.read_health(dataset, demand=at.demand, by=context.by))
        return [SignalState.of(Found(card, at, health.answer)) for card in health.what.signals]

    @strawberry.field(
        description="The signals that are CRITICAL, the most important tier first. "
        "`limit` is 1 to 1,000; if there are more, `extensions.truncated` of the response says so."
    )
    async def critical_signals(
        self,
        info: Info,
        tier: Tier | None = UNSET,
        limit: int | None = _AT_FIRST,
        as_of: AsOf = UNSET,
        min_position: MinPosition = UNSET,
    ) -> list[SignalState]:
        context, found = info.context, list[Violation]()
        at, most = context.at(as_of, min_position, found), limited(limit, _AT_FIRST, found)
        refuse_any(found)
        listing, wanted = context.use.list_not_ok, tier or None
        critical = await gathered(
            info,
            at,
            lambda page: listing(
                [SignalStateEnum.CRITICAL], page, tier=wanted, demand=at.demand, by=context.by
            ),
            most,
        )
        return [SignalState.of(one) for one in critical]

    @strawberry.field(
        description="The evaluations whose windows end within the span, both ends included, in "
        f"the order they were accepted. {BOUNDED} The error NOT_FOUND if the signal was never "
        "evaluated."
    )
    async def signal_history(
        self,
        info: Info,
        dataset_urn: str,
        signal_type: str,
        since: Annotated[datetime, strawberry.argument(name="from")],
        until: Annotated[datetime, strawberry.argument(name="to")],
        as_of: AsOf = UNSET,
        min_position: MinPosition = UNSET,
    ) -> list[SignalStateSnapshot]:
        context, found = info.context, list[Violation]()
        at = context.at(as_of, min_position, found)
        dataset, kind = dataset_named(dataset_urn, found), signal_named(signal_type, found)
        refuse_backwards(since, until, found)
        refuse_any(found)
        past = await gathered(
            info,
            at,
            lambda page: context.use.read_history(
                dataset, kind, since=since, until=until, page=page, demand=at.demand, by=context.by
            ),
        )
        return [SignalStateSnapshot.of(dataset, kind, one.what) for one in past]
