"""The gRPC transport of the client: channels, retries and positions."""
