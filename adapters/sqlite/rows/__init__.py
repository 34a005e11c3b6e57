"""Rows of the read models in a SQLite file."""
