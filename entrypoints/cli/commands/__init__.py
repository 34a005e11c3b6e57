"""Commands that call the HTTP API of a running server."""
