"""Other records in the log's table: snapshots, upstream checkpoints and leases."""
