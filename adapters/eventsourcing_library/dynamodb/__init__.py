"""
Our log on DynamoDB as a persistence module of the `eventsourcing` library.

    PERSISTENCE_MODULE=adapters.eventsourcing_library.dynamodb
    DYNAMODB_TABLE=observability-event-log
    DYNAMODB_ENDPOINT_URL=http://127.0.0.1:8000      (only if it is not AWS itself)
"""

from adapters.eventsourcing_library.dynamodb.factory import Factory

__all__ = ["Factory"]
