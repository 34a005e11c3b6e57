"""The SQLite database: one writer thread and many readers."""
