"""Personal keys in a local file."""
