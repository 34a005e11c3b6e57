"""DynamoDB: transport, event log, rows, leases and tables."""
