"""Messages of the gRPC contract, written by `make protos`: do not edit."""
