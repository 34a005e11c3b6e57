"""Signals over gRPC."""
