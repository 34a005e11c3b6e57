"""Incidents over gRPC."""
