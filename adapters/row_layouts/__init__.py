"""Layouts of rows: keys, indexes and attributes, for every engine."""
