"""What the State Store does for its callers: use cases, the ports they need, projections."""
