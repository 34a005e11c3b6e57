"""Root-cause contexts in words that all interfaces share."""

from collections.abc import Sequence

from attrs import frozen

from application.root_cause.context import Cause, Context
from application.root_cause.part import AnyPart
from entrypoints.interfaces.error_table import told

MOST_SUSPECTS = 10
TIMED_OUT = "TIMED_OUT"


@frozen
class MissingPart:
    part: str
    code: str
    reason: str


def missing_parts(context: Context) -> Sequence[MissingPart]:
    return [MissingPart(name, *_why(part)) for name, part in context.missing]


def _why(part: AnyPart) -> tuple[str, str]:
    if part.missing is None:
        what = "it" if part.told is None else "some of it"
        return TIMED_OUT, f"{what} did not come in time; ask again, or ask for it alone"
    meant = told(part.missing)
    return meant.code, meant.detail


def verdict(cause: Cause) -> str:
    """Who it most likely was, in a sentence."""
    likeliest, tied = cause.suspicion.likeliest, cause.suspicion.tied
    if likeliest is not None:
        said = f"{likeliest.producer_id} {likeliest.version or ''}".rstrip()
        said = f"Most likely {said}: it {likeliest.reasons[0].sentence}"
    elif tied:
        names = ", ".join(one.producer_id for one in tied[:MOST_SUSPECTS])
        said = f"{len(tied)} producers are as likely: {names}"
    else:
        said = "Nothing points to a producer"
    return f"{said}{_without(cause.without)}."


def _without(parts: Sequence[str]) -> str:
    return f" (without all of {', '.join(parts)})" if parts else ""
