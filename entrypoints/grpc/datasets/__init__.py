"""Datasets, resolution rules and policies over gRPC."""
