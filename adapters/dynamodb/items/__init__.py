"""Items in DynamoDB's JSON, their sizes, and a thin client for one table."""
