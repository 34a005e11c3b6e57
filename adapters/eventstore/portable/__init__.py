"""A log as one file: its format, writing and reading it, and moving logs with it."""
