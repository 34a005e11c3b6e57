"""The event log on DynamoDB, and the thin transport it is called through."""
