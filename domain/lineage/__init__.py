"""Lineage: who writes and reads datasets and columns, and the impact of a failure."""
