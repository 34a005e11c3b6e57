"""SQLite: connection, event log, rows and the evidence cache."""
