"""Leases that processes share, over any place that can replace one value by another atomically."""
