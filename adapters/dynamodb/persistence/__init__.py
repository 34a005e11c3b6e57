"""
Our log on DynamoDB as a persistence module of the `eventsourcing` library.

    PERSISTENCE_MODULE=adapters.dynamodb.persistence
    DYNAMODB_TABLE=observability-event-log
    DYNAMODB_ENDPOINT_URL=http://127.0.0.1:8000      (only if it is not AWS itself)
"""

from adapters.dynamodb.persistence.factory import Factory

__all__ = ["Factory"]
