"""Generations of tables: drafts, cutover and comparison."""
