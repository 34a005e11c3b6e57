"""Use cases, the ports they need, projections and policies."""
