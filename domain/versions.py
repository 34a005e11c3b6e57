"""The version a caller decided on: n for exactly that one, 0 for what does not exist yet."""

ANY_VERSION = -1
"""The caller does not care."""
