"""HTTP, gRPC, GraphQL, the command line, and the wiring they share."""
