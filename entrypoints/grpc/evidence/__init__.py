"""Evidence over gRPC."""
