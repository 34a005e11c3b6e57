"""Parts that HTTP, gRPC and GraphQL share."""
