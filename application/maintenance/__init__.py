"""Maintenance of read models: rebuild, verification and expiry."""
