"""The evidence cache in a SQLite file of its own."""
