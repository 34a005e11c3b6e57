"""Streams and batches of updates and evidence."""
