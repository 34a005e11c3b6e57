"""The gRPC server and the handling that every call shares."""
