"""The event log on DynamoDB: writing."""
