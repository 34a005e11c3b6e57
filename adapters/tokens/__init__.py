"""Bearer tokens."""
