"""The shared cache on Redis."""
