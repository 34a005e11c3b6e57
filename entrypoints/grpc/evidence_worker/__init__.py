"""Validation of large evidence batches in a worker process."""
