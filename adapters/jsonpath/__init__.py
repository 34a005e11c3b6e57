"""JSONPath (RFC 9535) over payloads."""
