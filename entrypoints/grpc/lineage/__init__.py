"""Lineage over gRPC."""
