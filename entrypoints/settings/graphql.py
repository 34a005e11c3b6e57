"""How much a GraphQL document may ask for."""

from pydantic import Field

from entrypoints.settings.topic import Topic


class GraphqlLimits(Topic):
    """Depth, cost and time."""

    graphql_max_depth: int = Field(
        12, ge=1, le=50, description="How many levels of fields a GraphQL document may have."
    )
    graphql_max_cost: int = Field(
        50_000,
        ge=1,
        le=1_000_000,
        description="How many values the answer to a GraphQL document may have, counted before it "
        "is executed; each item of a list counts.",
    )
    graphql_timeout_seconds: float = Field(
        10, gt=0, le=300, description="How long a GraphQL document may take to be answered."
    )
