"""What HTTP, gRPC and GraphQL have in common."""
