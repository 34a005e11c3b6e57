"""Row caches in front of the read models."""
