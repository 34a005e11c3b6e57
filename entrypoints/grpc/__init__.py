"""The State Store over gRPC: it translates in, calls a use case, and translates out."""
