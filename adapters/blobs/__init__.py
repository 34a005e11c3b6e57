"""Large payloads outside the log: in a directory, or in S3."""
