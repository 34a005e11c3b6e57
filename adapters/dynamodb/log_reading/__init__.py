"""The event log on DynamoDB: reading."""
